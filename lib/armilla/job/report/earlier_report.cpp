#include <armilla/core/read_file.hpp>
#include <armilla/job/report/earlier_report.hpp>

#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

using nlohmann::json;

std::optional<json> read_report(const std::string& file) {
  const json found = json::parse(core::read_file_if_there(file, fmt::format("'{}'", file)), nullptr, false);
  if (!found.is_object() || found.value("program", json()) != "armilla") return std::nullopt;
  return found;
}

bool is_report_of_maps(const std::string& file, const std::vector<RecordedFile>& outputs) {
  const std::optional<json> report = read_report(file);
  if (!report || report->contains("error") || report->contains("dry_run")) return false;
  const json maps = report->value("/campaign/maps"_json_pointer, json());
  const json checksums = report->value("checksums", json::array());
  if (!maps.is_number() || maps.get<double>() <= 0 || !checksums.is_array()) return false;
  std::map<std::string, std::string> now;
  for (const RecordedFile& output : outputs) now[output.path] = output.checksum;
  for (const json& entry : checksums) {
    if (!entry.is_object()) return false;
    const json path = entry.value("file", json()), checksum = entry.value("checksum", json());
    if (!path.is_string() || !checksum.is_string()) return false;
    const auto known = now.find(path.get<std::string>());
    if (known == now.end() || known->second != checksum.get<std::string>()) return false;
  }
  return true;
}

}  // namespace armilla::job
