#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <string>
#include <string_view>
#include <utility>

/// Errors about a place in a job. `key` is a key of the section at the place; if it is empty, the message concerns the
/// place itself.
namespace armilla::job {

/// The parts of the message "<where>: <path>.<key>: <text>", or "<where>: <path>.<key> <text>" for a predicate.
core::ErrorContext error_at(const Place& place, std::string_view key, std::string text,
                            core::ErrorContext::Form form = core::ErrorContext::Form::kStatement);

/// The parts of the message "<where>: <path>.<key> = <value> <rest>".
core::ErrorContext value_error_at(const Place& place, std::string_view key, const std::string& value, std::string rest);

/// Throws InputError "<where>: <path>.<key> = <value> <rest>".
[[noreturn]] void refuse(const Place& place, std::string_view key, const std::string& value, const std::string& rest);

/// Throws InputError "<where>: <path>.<key>: <text>", or "<where>: <path>.<key> <text>" for a predicate.
[[noreturn]] void complain(const Place& place, std::string_view key, const std::string& text,
                           core::ErrorContext::Form form = core::ErrorContext::Form::kStatement);

/// Throws InputError "<where>: <text>".
[[noreturn]] void refuse_text(const std::string& where, const std::string& text);

/// The path of a place, for texts of errors about another place.
std::string mention(const Place& place);

/// The message of an error that has no place, for the text of an error that has one: with the marks of core::mention().
std::string marked_text(const core::Error& error);

/// The same message at this place.
core::ErrorContext moved_to(const Place& place, const core::ErrorContext& context);

/// Returns the result of work(). Its errors about the input, or about a key of it, get the place, unless they already
/// have one.
template <class Work>
auto at_place(const Place& place, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const core::InputError& error) {
    const auto& context = error.context();
    const bool has_place = context != nullptr && (!context->where.empty() || !context->section.empty());
    if (has_place || (context == nullptr && std::string_view(error.what()).starts_with(place.where))) throw;
    if (context != nullptr) throw core::InputError(moved_to(place, *context));
    throw core::InputError(error_at(place, {}, marked_text(error)));
  }
}

}  // namespace armilla::job
