#pragma once

#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// A second stream for little work beside much in another one, with high priority: otherwise its blocks would wait
/// until the last blocks of the other stream leave multiprocessors free.
class SideStream {
 public:
  /// Calls work(side stream). Both streams wait for each other before and after it, also on errors.
  template <class Work>
  void run(const kernels::Stream& stream, const Work& work) {
    forked_.record(stream);
    forked_.hold(side_);
    try {
      work(side_);
    } catch (...) {
      join(stream);
      throw;
    }
    join(stream);
  }

 private:
  void join(const kernels::Stream& stream) {
    joined_.record(side_);
    joined_.hold(stream);
  }

  kernels::Stream side_{kernels::Priority::kHigh};
  kernels::Event forked_, joined_;
};

}  // namespace armilla::backend
