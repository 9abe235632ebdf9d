#include <armilla/backend/kept_check.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/core/program_identity.hpp>
#include <armilla/core/read_file.hpp>

#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::backend {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Identifies the boot of the machine: changes with every restart.
std::string boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

void add_note(DeviceCheck& check, const fs::path& file) {
  if (check.fault.empty()) return;
  check.fault += fmt::format(". This result is cached in {}: delete that file to repeat the check", file.string());
}

}  // namespace

std::string check_key(Kind kind, const Device& device, core::Precision precision) {
  const json key = {{"backend", name_of(kind)},
                    {"boot", boot_id()},
                    {"build", core::program_identity()},
                    {"device", {device.name, device.uuid}},
                    {"driver", device.driver},
                    {"host", core::host_name()},
                    {"precision", core::precision_name(precision)}};
  return key.dump(-1, ' ', false, json::error_handler_t::replace);
}

fs::path kept_check_file(const std::string& key) {
  const fs::path folder = core::cache_folder();
  if (folder.empty()) return {};
  // The file name excludes boot and driver. After a restart, or with another driver, a new result thus replaces the old
  // one.
  json name = json::parse(key);
  const std::string host = name["host"];
  name.erase("boot");
  name.erase("driver");
  const std::string text = name.dump();
  return folder / "device_checks" / fmt::format("{}-{:016x}.json", host, core::fnv1a(text.data(), text.size()));
}

std::optional<DeviceCheck> find_kept_check(const std::string& key, double limit_seconds) {
  const fs::path file = kept_check_file(key);
  if (file.empty()) return std::nullopt;
  // A file that cannot be read counts as damaged: the check is repeated.
  const json kept = json::parse(core::read_file(file.string()).text, nullptr, false);
  if (!kept.is_object() || !kept.contains("check") || kept.value("key", json()) != json::parse(key))
    return std::nullopt;
  auto check = check_from_json(kept["check"].dump());
  if (!check || (check->seconds > 0 && check->seconds < limit_seconds)) return std::nullopt;
  add_note(*check, file);
  return check;
}

DeviceCheck keep_check(const std::string& key, DeviceCheck check) {
  if (!check.lasting) return check;
  const fs::path file = kept_check_file(key);
  const json kept = {{"key", json::parse(key)}, {"check", json::parse(check_to_json(check))}};
  const std::string text = kept.dump(2) + "\n";
  core::CacheFile cache(file);
  cache.write(text.data(), text.size());
  if (cache.commit()) add_note(check, file);
  return check;
}

}  // namespace armilla::backend
