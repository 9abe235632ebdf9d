#include <armilla/core/text.hpp>
#include <armilla/job/parse/refuse.hpp>

#include <utility>

namespace armilla::job {

namespace {

/// The path of a key in the section of a place.
std::string key_path(const Place& place, std::string_view key) {
  std::string path = place.path.substr(place.section);
  if (path.starts_with('.')) path.erase(0, 1);
  if (!path.empty() && !key.empty()) path += '.';
  return path.append(key);
}

}  // namespace

core::ErrorContext error_at(const Place& place, std::string_view key, std::string text, core::ErrorContext::Form form) {
  core::ErrorContext context{.where = place.where,
                             .section = place.path.substr(0, place.section),
                             .key = key_path(place, key),
                             .text = std::move(text),
                             .form = form};
  if (context.section.empty() && context.key.empty()) context.section = "the job";
  return context;
}

core::ErrorContext value_error_at(const Place& place, std::string_view key, const std::string& value,
                                  std::string rest) {
  core::ErrorContext context = error_at(place, key, std::move(rest), core::ErrorContext::Form::kPredicate);
  context.value = core::excerpt(value);
  return context;
}

core::ErrorContext moved_to(const Place& place, const core::ErrorContext& context) {
  core::ErrorContext moved = error_at(place, context.key, context.text, context.form);
  moved.value = context.value;
  return moved;
}

void refuse(const Place& place, std::string_view key, const std::string& value, const std::string& rest) {
  throw core::InputError(value_error_at(place, key, value, rest));
}

void complain(const Place& place, std::string_view key, const std::string& text, core::ErrorContext::Form form) {
  throw core::InputError(error_at(place, key, text, form));
}

void refuse_text(const std::string& where, const std::string& text) {
  throw core::InputError(core::ErrorContext{.where = where, .text = text});
}

std::string marked_text(const core::Error& error) {
  const auto& context = error.context();
  const bool is_text = context != nullptr && context->where.empty() && context->section.empty() &&
                       context->key.empty() && !context->value;
  return is_text ? context->text : std::string(error.what());
}

std::string mention(const Place& place) {
  return core::mention(place.path.substr(0, place.section), key_path(place, {}));
}

}  // namespace armilla::job
