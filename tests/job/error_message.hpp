#pragma once

#include <armilla/core/error.hpp>

#include <string>

#include <gtest/gtest.h>

namespace armilla::test {

/// The message of the InputError that `work` throws; a failure of the test where it throws none or another one.
template <class Work>
std::string input_error(Work&& work) {
  try {
    work();
  } catch (const core::InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception than InputError: " << error.what();
    return "";
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

inline testing::AssertionResult contains(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in '" << message << "'";
}

}  // namespace armilla::test
