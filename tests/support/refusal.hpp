#pragma once

#include <armilla/core/error.hpp>

#include <string>

#include <gtest/gtest.h>

namespace armilla::test {

/// The message of the InputError that call() throws; "nothing was thrown" if it does not.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Expects an InputError from call() whose message contains `part`.
template <class Call>
void expect_refusal(const Call& call, const std::string& part) {
  const std::string message = refusal(call);
  EXPECT_NE(message.find(part), std::string::npos) << message << " instead of: " << part;
}

}  // namespace armilla::test
