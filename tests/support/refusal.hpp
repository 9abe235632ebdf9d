#pragma once

#include <armilla/core/error.hpp>

#include <string>

#include <gtest/gtest.h>

namespace armilla::test {

/// Expects an InputError from call() whose message contains `part`.
template <class Call>
void expect_refusal(const Call& call, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown, instead of: " << part;
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace armilla::test
