#include <armilla/api/memory_check.hpp>
#include <armilla/comm/node_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/comm/thread_load.hpp>
#include <armilla/core/available_memory.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/saturating.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace armilla::api {

namespace {

// Smaller objects fit in any memory in which a program runs, and the files of /proc take longer to read.
constexpr Index kSmall = Index{16} << 20;

std::atomic<bool> has_warned = false;

// Collective. Ranks of which the root has warned before skip it.
void warn_once(const Communicator& comm) {
  const std::string warning = comm::spinning_warning(comm);
  if (warning.empty() || has_warned.exchange(true)) return;
  const std::string text = fmt::format("armilla: warning: {}\n", warning);
  // Standard error may be closed, which is no error of this rank.
  [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void check_machine(const Communicator& comm, const TransformMemory& memory, const std::string& what) {
  std::array<Index, 2> most{core::saturating_sum(memory.workspace, memory.fields),
                            comm.is_root() && has_warned ? 1 : 0};
  comm.max(std::span<Index>(most));
  if (most[1] == 0) warn_once(comm);
  if (most[0] <= kSmall) return;
  const std::optional<Index> limit = environment_limit(comm);
  // The process may hold such fields already, created by another transform.
  const Index held = std::max(core::resident_bytes(), memory.fields);
  const Index peak = core::saturating_sum(held, memory.workspace);
  comm::check_memory(comm, comm::tightest_memory(comm, peak, limit), what, comm::MemoryUser::kLibrary);
}

std::optional<Index> environment_limit(const Communicator& comm) {
  std::optional<Index> limit;
  comm::phase(comm, [&] {
    if (comm.is_root()) limit = core::environment_memory_limit();
  });
  return comm::limit_of_root(comm, limit);
}

void check_own_memory(Index bytes, const std::string& what) {
  if (bytes <= kSmall) return;
  const Communicator self = Communicator::self();
  const Index peak = core::saturating_sum(core::resident_bytes(), bytes);
  comm::check_memory(self, comm::tightest_memory(self, peak, core::environment_memory_limit()), what,
                     comm::MemoryUser::kLibrary);
}

}  // namespace armilla::api
