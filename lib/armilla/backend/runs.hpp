#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::backend {

using core::Index;

/// `count` numbers that stand one after the other in an array, from `begin` on.
struct Run {
  Index begin, count;
  friend bool operator==(const Run&, const Run&) = default;
};

/// The numbers of runs, in their order, are the elements of an array without gaps.
class Runs {
 public:
  const std::vector<Run>& all() const { return runs_; }
  /// Numbers of all.
  Index size() const { return size_; }

  /// Puts numbers behind the last; joins them to the last run where they follow it.
  void add(Index begin, Index count) {
    if (count <= 0) return;
    size_ += count;
    if (!runs_.empty() && runs_.back().begin + runs_.back().count == begin)
      runs_.back().count += count;
    else
      runs_.push_back({begin, count});
  }

 private:
  std::vector<Run> runs_;
  Index size_ = 0;
};

}  // namespace armilla::backend
