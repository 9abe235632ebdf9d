#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/cost/rates_json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::cost {

namespace {

using nlohmann::json;

double positive(const json& object, const char* key) {
  const auto number = object.at(key).get<double>();
  if (!(number > 0) || !std::isfinite(number))
    throw core::InputError(fmt::format("{} = {} is not positive", key, number));
  return number;
}

// A positive number that becomes an int.
int count(const json& object, const char* key) {
  const double number = positive(object, key);
  if (number > std::numeric_limits<int>::max() || number != std::floor(number))
    throw core::InputError(fmt::format("{} = {} is not an integer below 2^31", key, number));
  return static_cast<int>(number);
}

Index bytes(const json& object, const char* key) {
  const auto number = object.at(key).get<double>();
  if (!(number >= 0 && number <= static_cast<double>(core::kTooManyBytes)))
    throw core::InputError(fmt::format("{} = {} is not a number of bytes", key, number));
  return static_cast<Index>(number);
}

json set_json(const RateSet& set) {
  json rates = json::object();
  for (const auto& [kernel, samples] : set.samples)
    for (const Sample& sample : samples)
      rates[info(kernel).name].push_back({{"size", sample.size}, {"batch", sample.batch}, {"rate", sample.rate}});
  return {{"ranks", set.occupancy.ranks},
          {"ranks_per_node", set.occupancy.ranks_per_node},
          {"threads", set.occupancy.threads},
          {"cores", set.cores},
          {"latency", set.latency},
          {"bandwidth", set.bandwidth},
          {"process_bytes", set.process_bytes},
          {"peer_bytes", set.peer_bytes},
          {"rates", rates}};
}

RateSet parse_set(const json& item) {
  RateSet set;
  set.occupancy = {count(item, "ranks"), count(item, "ranks_per_node"), count(item, "threads")};
  set.cores = count(item, "cores");
  set.latency = item.at("latency").get<double>();
  set.bandwidth = item.at("bandwidth").get<double>();
  set.process_bytes = bytes(item, "process_bytes");
  set.peer_bytes = bytes(item, "peer_bytes");
  if (!(set.latency >= 0) || !(set.bandwidth >= 0)) throw core::InputError("latency and bandwidth must be 0 or more");
  for (const auto& [name, samples] : item.at("rates").items()) {
    const auto row = std::ranges::find_if(kernels(), [&](const KernelInfo& one) { return name == one.name; });
    if (row == kernels().end()) continue;
    for (const json& sample : samples)
      set.samples[row->kernel].push_back(
          {positive(sample, "size"), sample.at("batch").get<bool>(), positive(sample, "rate")});
  }
  return set;
}

}  // namespace

std::string rates_text(const RatesFile& file) {
  json sets = json::array();
  for (const RateSet& set : file.sets) sets.push_back(set_json(set));
  return json{{"machine", file.machine}, {"instruction_set", file.instruction_set}, {"sets", sets}}.dump(2) + "\n";
}

RatesFile parse_rates(const std::string& text, const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    return core::InputError(
        fmt::format("rates file {} is damaged: {}: repeat the measurement with armilla bench --calibrate --rates {}",
                    file, what, file));
  };
  try {
    const json content = json::parse(text);
    RatesFile rates{content.at("machine"), content.at("instruction_set"), {}};
    for (const json& item : content.at("sets")) rates.sets.push_back(parse_set(item));
    if (rates.sets.empty()) throw core::InputError("'sets' is empty");
    return rates;
  } catch (const json::exception& error) {
    throw refuse(error.what());
  } catch (const core::InputError& error) {
    throw refuse(error.what());
  }
}

}  // namespace armilla::cost
