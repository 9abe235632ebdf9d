#include <armilla/comm/phase.hpp>
#include <armilla/comm/thread_load.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/machine.hpp>

#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::comm {

namespace {

Oversubscription sum_of(std::span<const ThreadLoad* const> ranks, std::vector<int> cpus, bool same_cpus) {
  Oversubscription sum{.ranks = static_cast<int>(ranks.size()), .cpus = std::move(cpus), .same_cpus = same_cpus};
  for (const ThreadLoad* rank : ranks) sum.threads += rank->threads;
  return sum;
}

bool exceeds(const Oversubscription& sum) {
  return !sum.cpus.empty() && static_cast<std::size_t>(sum.threads) > sum.cpus.size();
}

std::string upper_variable(const char* name) {
  const char* const value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Whether a value of GOMP_SPINCOUNT or KMP_BLOCKTIME ends spinning: not "infinity" nor "infinite".
bool is_limit(const std::string& value) { return !value.empty() && !value.starts_with("INFINIT"); }

}  // namespace

std::optional<Oversubscription> find_oversubscription(std::span<const ThreadLoad> ranks) {
  std::map<std::vector<int>, std::vector<const ThreadLoad*>> by_cpus;
  std::vector<const ThreadLoad*> all;
  std::set<int> cpus;
  for (const ThreadLoad& rank : ranks) {
    by_cpus[rank.cpus].push_back(&rank);
    all.push_back(&rank);
    cpus.insert(rank.cpus.begin(), rank.cpus.end());
  }
  for (const auto& [own, some] : by_cpus)
    if (const Oversubscription sum = sum_of(some, own, true); exceeds(sum)) return sum;
  if (const Oversubscription sum = sum_of(all, {cpus.begin(), cpus.end()}, false); exceeds(sum)) return sum;
  return std::nullopt;
}

bool threads_spin() {
  return upper_variable("OMP_WAIT_POLICY") != "PASSIVE" && !is_limit(upper_variable("GOMP_SPINCOUNT")) &&
         !is_limit(upper_variable("KMP_BLOCKTIME"));
}

std::string spinning_warning(const Communicator& comm) {
  std::string mine;
  comm::phase(comm, [&] {
    mine = nlohmann::json{core::host_name(), core::own_cpus(), core::thread_count(), threads_spin()}.dump();
  });
  std::map<std::string, std::vector<ThreadLoad>> nodes;
  std::set<std::string> spinning;
  const std::vector<std::string> all = comm.gather(mine);
  comm::phase(comm, [&] {
    for (const std::string& text : all) {
      const auto load = nlohmann::json::parse(text);
      const auto host = load[0].get<std::string>();
      nodes[host].push_back({host, load[1].get<std::vector<int>>(), load[2].get<int>()});
      // A single thread waits for no other.
      if (load[3].get<bool>() && load[2].get<int>() > 1) spinning.insert(host);
    }
  });
  for (const auto& [host, ranks] : nodes) {
    const auto found = spinning.contains(host) ? find_oversubscription(ranks) : std::nullopt;
    if (!found) continue;
    return fmt::format(
        "{}: {} rank{} with {} threads share {} CPU{} ({}), and threads spin while they wait, so transforms may take "
        "hundreds of times as long: lower OMP_NUM_THREADS, start fewer ranks, or set OMP_WAIT_POLICY=passive",
        host, found->ranks, found->ranks == 1 ? "" : "s", found->threads, found->cpus.size(),
        found->cpus.size() == 1 ? "" : "s", core::cpu_list(found->cpus));
  }
  return {};
}

}  // namespace armilla::comm
