#include <armilla/capi/handles.hpp>

#include <fmt/format.h>

namespace armilla::capi {

// Never destroyed, so that handles may be freed while the program ends.
Handles& Handles::all() {
  static auto* const handles = new Handles();
  return *handles;
}

std::int64_t Handles::add_entry(std::shared_ptr<Entry> entry) {
  const std::lock_guard guard(lock_);
  entries_.emplace(++last_, std::move(entry));
  return last_;
}

std::shared_ptr<Handles::Entry> Handles::use_entry(std::int64_t id, const std::type_info& type, const char* name) {
  if (id == 0) throw core::InputError(fmt::format("the {0} is null: create it first", name));
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(id);
  if (found == entries_.end())
    throw core::InputError(fmt::format("the {} was freed, or its handle is not one of this program", name));
  Entry& entry = *found->second;
  if (*entry.type != type)
    throw core::InputError(fmt::format("a handle of a {} was passed for a {}: pass a {}", entry.name, name, name));
  if (entry.in_use.exchange(true))
    throw core::InputError(fmt::format("the {} is in use by another thread: use one for each thread", name));
  return found->second;
}

void Handles::remove_entry(std::int64_t id) {
  std::shared_ptr<Entry> entry;  // destroyed after the lock is released
  const std::lock_guard guard(lock_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  entry = std::move(found->second);
  entries_.erase(found);
}

namespace {

std::string& message() {
  thread_local std::string text;
  return text;
}

}  // namespace

int keep_error() noexcept {
  try {
    core::CaughtError error = core::describe_current_exception();
    message() = std::move(error.message);
    return core::exit_code(error.kind);
  } catch (...) {
    return core::kExitResource;  // no memory for the message
  }
}

const char* last_error() noexcept { return message().c_str(); }

}  // namespace armilla::capi
