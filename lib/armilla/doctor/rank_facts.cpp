#include <armilla/backend/context.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/available_memory.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/program_identity.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/doctor/facts_json.hpp>
#include <armilla/doctor/rank_facts.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/transform/device_work.hpp>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

/// Number of different lists of siblings, which the CPUs of a core share. A CPU without a list counts as a core.
int physical_cores(const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    std::string siblings;
    std::getline(file, siblings);
    cores.insert(siblings.empty() ? fmt::format("cpu {}", cpu) : siblings);
  }
  return static_cast<int>(cores.size());
}

int numa_nodes() {
  int count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/devices/system/node", error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos) ++count;
  }
  return std::max(count, 1);
}

/// Open MPI and Intel MPI take precedence over Slurm: with mpirun in an allocation, the variables of Slurm describe the
/// launcher.
int launched_ranks() {
  for (const char* name : std::array{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const std::string text = variable(name);
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 9) continue;
    return std::stoi(text);
  }
  return 0;
}

}  // namespace

RankFacts own_facts(int rank, const backend::Placement& place) {
  RankFacts facts;
  facts.rank = rank;
  facts.host = core::host_name();
  facts.cpus = core::own_cpus();
  facts.cores = physical_cores(facts.cpus);
  facts.numa_nodes = numa_nodes();
  facts.threads = core::thread_count();
  facts.omp_binding = variable("OMP_PROC_BIND");
  facts.instruction_set = legendre::kernel_instruction_set();
  facts.program = core::program_identity();
  facts.launched_ranks = launched_ranks();
  facts.free_bytes = -1;
  for (const core::MemoryBound& bound : core::memory_bounds()) {
    if (bound.bytes >= core::kTooManyBytes || (facts.free_bytes >= 0 && bound.bytes >= facts.free_bytes)) continue;
    facts.free_bytes = bound.bytes;
    facts.memory_bound = bound.name;
  }
  facts.visible_devices = static_cast<int>(backend::visible_devices().size());
  if (const auto device = backend::device_of(backend::Kind::kCuda, place)) {
    facts.device = device->name;
    facts.device_uuid = device->uuid;
  } else {
    facts.no_device = backend::why_no_devices();
  }
  return facts;
}

std::vector<RankFacts> gather_facts(const comm::Communicator& world) {
  const backend::Placement place = transform::placement(world, backend::Kind::kCuda);
  std::string mine;
  comm::phase(world, [&] { mine = facts_json(own_facts(world.rank(), place)).dump(); });
  std::vector<RankFacts> all;
  for (const std::string& text : world.gather(mine)) all.push_back(facts_from_json(nlohmann::json::parse(text)));
  return all;
}

}  // namespace armilla::doctor
