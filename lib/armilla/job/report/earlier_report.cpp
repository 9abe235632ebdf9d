#include <armilla/job/report/earlier_report.hpp>

#include <filesystem>
#include <map>
#include <system_error>

#include <nlohmann/json.hpp>

namespace armilla::job {

using nlohmann::json;

bool is_report_of_maps(const std::string& file, const std::vector<RecordedFile>& outputs) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return false;
  const std::optional<json> report = read_report(file);
  if (!report || report->contains("error") || report->contains("dry_run")) return false;
  const json maps = report->value("/campaign/maps"_json_pointer, json());
  const json checksums = report->value("checksums", json::array());
  if (!maps.is_number() || maps.get<double>() <= 0 || !checksums.is_array() || checksums.empty()) return false;
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
