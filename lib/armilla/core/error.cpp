#include <armilla/core/error.hpp>

#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>

namespace armilla::core {

namespace {

// Control characters, which messages do not contain otherwise.
constexpr char kMentionBegin = '\x02', kMentionPart = '\x1f', kMentionEnd = '\x03';

/// `text` with all mention() worded.
std::string worded(std::string_view text, const KeyWords& words) {
  std::string result;
  while (true) {
    const std::size_t begin = std::min(text.find(kMentionBegin), text.size());
    result += text.substr(0, begin);
    const std::size_t key = text.find(kMentionPart, begin);
    const std::size_t value = key == std::string_view::npos ? key : text.find(kMentionPart, key + 1);
    const std::size_t end = value == std::string_view::npos ? value : text.find(kMentionEnd, value);
    if (end == std::string_view::npos) return result += text.substr(begin);
    const auto part = [&](std::size_t first, std::size_t last) {
      return std::string(text.substr(first + 1, last - first - 1));
    };
    result += words(part(begin, key), part(key, value), part(value, end));
    text.remove_prefix(end + 1);
  }
}

template <class What>
[[noreturn]] void throw_as(ErrorKind kind, What&& what) {
  switch (kind) {
    case ErrorKind::kInput:
      throw InputError(std::forward<What>(what));
    case ErrorKind::kResource:
      throw ResourceError(std::forward<What>(what));
    case ErrorKind::kStopped:
      throw Stopped(std::forward<What>(what));
    case ErrorKind::kInternal:
      break;
  }
  throw InternalError(std::forward<What>(what));
}

}  // namespace

std::string mention(std::string_view section, std::string_view key, std::string_view value) {
  std::string marked(1, kMentionBegin);
  return ((((((marked += section) += kMentionPart) += key) += kMentionPart) += value) += kMentionEnd);
}

std::string job_words(const std::string& section, const std::string& key, const std::string& value) {
  constexpr std::string_view kValue = "value.";  // a value of the job, by its name
  if (section.starts_with(kValue)) return std::string("'").append(section, kValue.size()).append("'");
  constexpr std::string_view kSteps = "steps.";  // any step of that name; a step of the job is "steps[0].NAME"
  if (section.starts_with(kSteps)) {
    std::string step("step ");
    step.append(section, kSteps.size());
    return key.empty() ? step : step.append(" with ").append(job_words({}, key, value));
  }
  const bool is_joined = section.empty() || key.empty() || key.front() == '[';
  return section + (is_joined ? "" : ".") + key + (value.empty() ? "" : ": " + value);
}

std::string sentence(const ErrorContext& context, const KeyWords& words) {
  std::string subject;
  if (!context.section.empty() || !context.key.empty()) subject = words(context.section, context.key, "");
  if (context.value) subject += " = " + *context.value;
  if (!subject.empty()) subject += context.form == ErrorContext::Form::kPredicate ? " " : ": ";
  return (context.where.empty() ? "" : context.where + ": ") + subject + worded(context.text, words);
}

void throw_error(ErrorKind kind, const std::string& message) { throw_as(kind, message); }

void throw_error(ErrorKind kind, ErrorContext context) { throw_as(kind, std::move(context)); }

void throw_error(const CaughtError& error) {
  if (error.context) throw_as(error.kind, *error.context);
  throw_as(error.kind, error.message);
}

CaughtError describe_current_exception() {
  static constexpr const char* kOutOfMemory =
      "out of memory: use more ranks or nodes, or fewer maps at once (armilla run --dry-run predicts the memory "
      "needed)";
  try {
    throw;
  } catch (const Error& error) {
    return {error.kind(), error.what(), error.context()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::kResource, kOutOfMemory};
  } catch (const std::filesystem::filesystem_error& error) {
    if (error.code() == std::errc::not_enough_memory) return {ErrorKind::kResource, kOutOfMemory};
    const std::string place = error.path1().empty() ? "the working folder" : "'" + error.path1().string() + "'";
    return {ErrorKind::kResource,
            place + " cannot be used (" + error.code().message() + "): check the path, its folder and the disk"};
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::not_enough_memory) return {ErrorKind::kResource, kOutOfMemory};
    return {ErrorKind::kInternal, std::string("unexpected exception: ") + error.what()};
  } catch (const std::exception& error) {
    return {ErrorKind::kInternal, std::string("unexpected exception: ") + error.what()};
  } catch (...) {
    return {ErrorKind::kInternal, "unexpected exception of unknown type"};
  }
}

}  // namespace armilla::core
