#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

namespace armilla::kernels {

/// One block of a kernel on the host: the state of each thread, and the shared memory they meet in. A kernel's body is
/// written as phases of single threads with barriers between; on the device each thread runs them in turn with
/// __syncthreads() between, here phase(state, thread) runs for all threads before the next phase begins. So a machine
/// without a GPU runs the same arithmetic in the same order. States and shared memory are full of what is not a number
/// at first: a block finds nothing there, on the device neither.
template <class State, class Shared>
class HostBlock {
  static_assert(std::is_trivially_copyable_v<State> && std::is_trivially_copyable_v<Shared>);

 public:
  explicit HostBlock(int threads) : states_(static_cast<std::size_t>(threads)) {
    poison(states_.data(), states_.size() * sizeof(State));
    poison(&shared_, sizeof(Shared));
  }

  template <class Phase>
  void run(Phase&& phase) {
    for (std::size_t thread = 0; thread < states_.size(); ++thread) phase(states_[thread], static_cast<int>(thread));
  }
  Shared& shared() { return shared_; }

 private:
  static void poison(void* memory, std::size_t bytes) { std::memset(memory, 0xff, bytes); }

  std::vector<State> states_;
  Shared shared_;
};

}  // namespace armilla::kernels
