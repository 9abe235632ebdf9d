#include <armilla/core/build_info.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/doctor/facts_json.hpp>
#include <armilla/doctor/report.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

constexpr std::size_t kRanksShown = 32;

const char* name_of(Severity severity) { return severity == Severity::kError ? "error" : "warning"; }

std::string rate_text(Index bytes, double seconds) {
  return fmt::format("{:.2f} s ({}/s)", seconds,
                     core::readable_bytes(static_cast<Index>(static_cast<double>(bytes) / std::max(seconds, 1e-6))));
}

std::string mpi_text(const MpiFacts& mpi) {
  std::string devices = "host memory only";
  if (mpi.claims_device_memory) devices = "supports device memory";
  if (mpi.device_exchange != "no") devices += fmt::format(", exchange between GPUs: {}", mpi.device_exchange);
  return fmt::format("{}, {}, {}", mpi.library, mpi.threads, devices);
}

std::string exchange_text(const MpiFacts& mpi) {
  std::string text = "through host memory";
  if (mpi.device_path == "peers") text = "from GPU to GPU";
  if (mpi.device_path == "mpi") text = "by MPI in GPU memory";
  return mpi.why_not_peers.empty() ? text : fmt::format("{} ({})", text, mpi.why_not_peers);
}

std::string ranks_text(const std::vector<RankFacts>& ranks) {
  std::string text =
      fmt::format("{:>6}  {:<20} {:>7}  {:>5}  {:<20} {}\n", "rank", "node", "threads", "cores", "CPUs", "GPU");
  for (std::size_t i = 0; i < std::min(ranks.size(), kRanksShown); ++i) {
    const RankFacts& rank = ranks[i];
    text += fmt::format("{:>6}  {:<20} {:>7}  {:>5}  {:<20} {}\n", rank.rank, rank.host, rank.threads, rank.cores,
                        core::cpu_list(rank.cpus), rank.device.empty() ? "none" : rank.device);
  }
  if (ranks.size() > kRanksShown) text += fmt::format("        and {} more (--json)\n", ranks.size() - kRanksShown);
  return text;
}

std::string memory_text(const std::vector<RankFacts>& ranks) {
  const RankFacts* least = nullptr;
  for (const RankFacts& rank : ranks)
    if (rank.free_bytes >= 0 && (least == nullptr || rank.free_bytes < least->free_bytes)) least = &rank;
  if (least == nullptr) return "not limited";
  return fmt::format("at least {} per node ({}, {})", core::readable_bytes(least->free_bytes), least->memory_bound,
                     least->host);
}

std::string files_text(const FileSystemFacts& files) {
  std::string text =
      fmt::format("{} at '{}', {} free", files.type, files.folder, core::readable_bytes(files.free_bytes));
  if (files.written_bytes == 0) return text;
  return text + fmt::format("\n{:<14}{} written by all ranks in {}, read back in {}; locks {}", "",
                            core::readable_bytes(files.written_bytes),
                            rate_text(files.written_bytes, files.write_seconds),
                            rate_text(files.written_bytes, files.read_seconds),
                            files.locks == "right" ? "work" : "do not work");
}

}  // namespace

std::string report_text(const Report& report) {
  std::set<std::string> hosts;
  for (const RankFacts& rank : report.ranks) hosts.insert(rank.host);
  std::string text;
  const auto line = [&](const char* name, const std::string& what) { text += fmt::format("{:<13} {}\n", name, what); };
  line("armilla", fmt::format("{}, {}, {}", core::kVersion, core::kCompiler,
                              report.ranks.empty() ? "" : report.ranks[0].instruction_set));
  line("ranks", fmt::format("{} on {} node{}", report.ranks.size(), hosts.size(), hosts.size() == 1 ? "" : "s"));
  text += ranks_text(report.ranks);
  line("memory", memory_text(report.ranks));
  line("MPI", mpi_text(report.mpi));
  line("GPUs", report.device_check.empty() ? "none used" : report.device_check);
  if (!report.mpi.device_path.empty() && report.ranks.size() > 1) line("GPU exchange", exchange_text(report.mpi));
  line("file system", files_text(report.files));
  line("arithmetic", fmt::format("lmax {}: round trip {:.1g}, exact map {:.1g} (limit {:.0g})", report.arithmetic.lmax,
                                 report.arithmetic.round_trip, report.arithmetic.exact_map, report.arithmetic.limit));
  for (const Finding& finding : report.findings)
    text += fmt::format("{}: {}: {}\n", name_of(finding.severity), finding.topic, finding.text);
  if (report.findings.empty()) text += "no findings\n";
  return text;
}

nlohmann::json report_json(const Report& report) {
  nlohmann::json ranks = nlohmann::json::array();
  for (const RankFacts& rank : report.ranks) ranks.push_back(facts_json(rank));
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& finding : report.findings)
    findings.push_back({{"severity", name_of(finding.severity)}, {"topic", finding.topic}, {"text", finding.text}});
  return {{"version", core::kVersion},
          {"ranks", ranks},
          {"mpi",
           {{"library", report.mpi.library},
            {"threads", report.mpi.threads},
            {"claims_device_memory", report.mpi.claims_device_memory},
            {"device_exchange", report.mpi.device_exchange},
            {"device_path", report.mpi.device_path},
            {"why_not_peers", report.mpi.why_not_peers}}},
          {"device_check", report.device_check},
          {"file_system",
           {{"folder", report.files.folder},
            {"type", report.files.type},
            {"free_bytes", report.files.free_bytes},
            {"written_bytes", report.files.written_bytes},
            {"write_seconds", report.files.write_seconds},
            {"read_seconds", report.files.read_seconds},
            {"locks", report.files.locks}}},
          {"arithmetic",
           {{"lmax", report.arithmetic.lmax},
            {"round_trip", report.arithmetic.round_trip},
            {"exact_map", report.arithmetic.exact_map},
            {"limit", report.arithmetic.limit}}},
          {"findings", findings},
          {"exit_code", report.exit_code}};
}

nlohmann::json facts_json(const RankFacts& facts) {
  return {{"rank", facts.rank},
          {"host", facts.host},
          {"cpus", facts.cpus},
          {"cores", facts.cores},
          {"numa_nodes", facts.numa_nodes},
          {"threads", facts.threads},
          {"omp_binding", facts.omp_binding},
          {"instruction_set", facts.instruction_set},
          {"program", facts.program},
          {"launched_ranks", facts.launched_ranks},
          {"free_bytes", facts.free_bytes},
          {"memory_bound", facts.memory_bound},
          {"visible_devices", facts.visible_devices},
          {"device", facts.device},
          {"device_uuid", facts.device_uuid},
          {"no_device", facts.no_device}};
}

RankFacts facts_from_json(const nlohmann::json& json) {
  RankFacts facts;
  json.at("rank").get_to(facts.rank);
  json.at("host").get_to(facts.host);
  json.at("cpus").get_to(facts.cpus);
  json.at("cores").get_to(facts.cores);
  json.at("numa_nodes").get_to(facts.numa_nodes);
  json.at("threads").get_to(facts.threads);
  json.at("omp_binding").get_to(facts.omp_binding);
  json.at("instruction_set").get_to(facts.instruction_set);
  json.at("program").get_to(facts.program);
  json.at("launched_ranks").get_to(facts.launched_ranks);
  json.at("free_bytes").get_to(facts.free_bytes);
  json.at("memory_bound").get_to(facts.memory_bound);
  json.at("visible_devices").get_to(facts.visible_devices);
  json.at("device").get_to(facts.device);
  json.at("device_uuid").get_to(facts.device_uuid);
  json.at("no_device").get_to(facts.no_device);
  return facts;
}

}  // namespace armilla::doctor
