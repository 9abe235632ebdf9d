#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

/// Throws InputError "<where>: <path>.<key> = <value> <rest>".
[[noreturn]] void refuse(const Place& place, std::string_view key, const std::string& value, const std::string& rest);

/// Returns the result of work(). Its InputErrors get the place as a prefix, unless they already have it.
template <class Work>
auto at_place(const Place& place, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const core::InputError& error) {
    const std::string what = error.what();
    if (what.starts_with(place.where)) throw;
    throw core::InputError(fmt::format("{}: {}: {}", place.where, place.path, what));
  }
}

}  // namespace armilla::job
