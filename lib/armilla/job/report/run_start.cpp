#include <armilla/core/build_info.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/job/report/run_start.hpp>
#include <armilla/job/report/versions.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <chrono>
#include <set>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

using nlohmann::json;

RunStart begin_run(const comm::Communicator& comm, std::string job, std::vector<std::string> overrides) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::vector<std::string> hosts = comm.gather(core::host_name());
  const std::set<std::string> different(hosts.begin(), hosts.end());
  return {.job = std::move(job),
          .overrides = std::move(overrides),
          .date = fmt::format("{:%FT%TZ}", now),
          .seconds = core::now_seconds(),
          .ranks = comm.size(),
          .hosts = {different.begin(), different.end()}};
}

json start_json(const RunStart& start) {
  json libraries = json::object();
  for (const auto& [name, version] : library_versions()) libraries[name] = version;
  return {{"program", "armilla"},
          {"version", core::kVersion},
          {"libraries", libraries},
          {"build",
           {{"compiler", core::kCompiler},
            {"type", core::kBuildType},
            {"sanitizers", core::kSanitizers},
            {"cuda", std::string(core::kCudaBuild) == "ON"}}},
          {"instruction_set", legendre::kernel_instruction_set()},
          {"date", start.date},
          {"job", start.job},
          {"job_contents", start.contents.empty() ? json() : json::parse(start.contents)},
          {"overrides", start.overrides},
          {"ranks", start.ranks},
          {"hosts", start.hosts.size()},
          {"host_names", start.hosts}};
}

}  // namespace armilla::job
