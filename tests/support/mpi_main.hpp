#pragma once

#include <cstdio>

#include <gtest/gtest.h>

namespace armilla::test {

/// main() of a test executable that runs on several ranks: starts MPI and agrees on the outcome.
int mpi_main(int argc, char** argv);

/// Prints failed assertions with the number of the rank, and nothing else.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed())
      std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_, result.file_name(), result.line_number(), result.message());
  }

 private:
  int rank_;
};

}  // namespace armilla::test
