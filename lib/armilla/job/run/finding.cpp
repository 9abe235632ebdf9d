#include <armilla/core/error.hpp>
#include <armilla/job/run/finding.hpp>

#include <cmath>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

/// JSON has no representation of infinities and NaN.
json packed_number(double number) { return std::isfinite(number) ? json(number) : json(std::to_string(number)); }
double unpacked_number(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// A list of pairs, with packed second numbers.
json packed_pairs(const auto& pairs) {
  json list = json::array();
  for (const auto& [first, number] : pairs) list.push_back(json::array({first, packed_number(number)}));
  return list;
}

json packed(const std::string& text) { return text; }
json packed(const SumOverMaps& value) { return value.sum; }
json packed(const OverMaps& value) { return json::array({packed_number(value.min), packed_number(value.max)}); }
json packed(const LargestOverMaps& value) { return packed_pairs(value.components); }
json packed(const OfLargestMap& value) { return json::array({packed_number(value.size), value.number}); }
json packed(const EachMap& value) { return packed_pairs(value.numbers); }

void unpack(const json& from, std::string& text) { from.get_to(text); }
void unpack(const json& from, SumOverMaps& value) { from.get_to(value.sum); }
void unpack(const json& from, OverMaps& value) { value = {unpacked_number(from[0]), unpacked_number(from[1])}; }
void unpack(const json& from, LargestOverMaps& value) {
  for (const auto& one : from) value.components.emplace_back(one[0], unpacked_number(one[1]));
}
void unpack(const json& from, OfLargestMap& value) { value = {unpacked_number(from[0]), from[1].get<Index>()}; }
void unpack(const json& from, EachMap& value) {
  for (const auto& one : from) value.numbers.emplace(one[0], unpacked_number(one[1]));
}

/// `type`: index of an alternative.
template <std::size_t kType = 0>
FindingValue value_of_type(std::size_t type) {
  if constexpr (kType + 1 < std::variant_size_v<FindingValue>)
    if (type != kType) return value_of_type<kType + 1>(type);
  return std::variant_alternative_t<kType, FindingValue>();
}

json shown(const std::string& text) { return text; }
json shown(const SumOverMaps& value) { return value.sum; }
json shown(const OverMaps& value) { return {{"min", value.min}, {"max", value.max}}; }
json shown(const LargestOverMaps& value) {
  json object = json::object();
  for (const auto& [name, number] : value.components) object[name] = number;
  return object;
}
json shown(const OfLargestMap& value) { return value.number; }
json shown(const EachMap& value) {
  json list = json::array();
  for (const auto& [item, number] : value.numbers) list.push_back(number);
  return list;
}

}  // namespace

const Finding* find_finding(const std::vector<Finding>& all, const std::string& kind, const std::string& step) {
  for (const Finding& one : all)
    if (one.kind == kind && one.step == step) return &one;
  return nullptr;
}

void add_finding(std::vector<Finding>& all, Finding more) {
  for (Finding& known : all) {
    if (known.kind != more.kind || known.step != more.step) continue;
    for (auto& [key, other] : more.values) {
      const auto same = std::ranges::find(known.values, key, &FindingValues::value_type::first);
      if (same == known.values.end()) {
        known.values.emplace_back(key, std::move(other));
        continue;
      }
      std::visit(
          [&other]<class Value>(Value& value) {
            if constexpr (!std::is_same_v<Value, std::string>) value.merge(std::get<Value>(other));
          },
          same->second);
    }
    return;
  }
  all.push_back(std::move(more));
}

json packed_finding(const Finding& finding) {
  json values = json::array();
  for (const auto& [key, value] : finding.values)
    values.push_back(json::array({key, value.index(), std::visit([](const auto& one) { return packed(one); }, value)}));
  return {{"kind", finding.kind}, {"step", finding.step}, {"values", values}};
}

Finding unpacked_finding(const json& packed) {
  Finding finding{packed["kind"], packed["step"], {}};
  if (std::ranges::find(finding_kinds(), finding.kind, &FindingKind::name) == finding_kinds().end())
    throw core::InternalError(fmt::format("finding_kinds() has no row '{}'", finding.kind));
  for (const auto& one : packed["values"]) {
    FindingValue value = value_of_type(one[1].get<std::size_t>());
    std::visit([&](auto& content) { unpack(one[2], content); }, value);
    finding.values.emplace_back(one[0], std::move(value));
  }
  return finding;
}

json finding_json(const Finding& finding, const std::vector<std::string>& labels) {
  json result{{"step", finding.step}};
  for (const auto& [key, value] : finding.values) {
    result[key] = std::visit([](const auto& one) { return shown(one); }, value);
    const auto* each = std::get_if<EachMap>(&value);
    if (each == nullptr || labels.empty() || result.contains("labels")) continue;
    for (const auto& [item, number] : each->numbers) result["labels"].push_back(labels[static_cast<std::size_t>(item)]);
  }
  return result;
}

}  // namespace armilla::job
