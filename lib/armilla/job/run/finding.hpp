#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

using core::Index;

// Values of findings. Each type merges the values of other maps in its own way; a text is the same for all maps.

/// A count that is summed over maps.
struct SumOverMaps {
  Index sum = 0;
  void merge(const SumOverMaps& other) { sum += other.sum; }
};

/// Minimum and maximum over maps; without maps, plus and minus infinity.
struct OverMaps {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  bool any() const { return min <= max; }
  void merge(const OverMaps& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
  }
  /// That of a single map.
  static OverMaps of(double value) { return {value, value}; }
};

/// The maximum over maps for each component, by name.
struct LargestOverMaps {
  std::vector<std::pair<std::string, double>> components;
  void merge(const LargestOverMaps& other) {
    for (std::size_t c = 0; c < components.size(); ++c)
      components[c].second = std::max(components[c].second, other.components[c].second);
  }
};

/// A number of the map with the largest `size`.
struct OfLargestMap {
  double size = -std::numeric_limits<double>::infinity();
  Index number = 0;
  void merge(const OfLargestMap& other) {
    if (other.size > size) *this = other;
  }
};

/// One number for each map, by its index in a campaign. Groups of ranks may report the same map.
struct EachMap {
  std::map<Index, double> numbers;
  void merge(const EachMap& other) { numbers.insert(other.numbers.begin(), other.numbers.end()); }
};

using FindingValue = std::variant<std::string, SumOverMaps, OverMaps, LargestOverMaps, OfLargestMap, EachMap>;
/// Keys, as in JSON reports, and values.
using FindingValues = std::vector<std::pair<std::string, FindingValue>>;

/// What a step reports about maps.
struct Finding {
  std::string kind;  ///< FindingKind::name
  std::string step;  ///< path of the step
  FindingValues values;

  /// The value of a key, of that type; a default one if there is none.
  template <class Value>
  Value value(const std::string& key) const {
    const auto found = std::ranges::find(values, key, &FindingValues::value_type::first);
    return found == values.end() ? Value() : std::get<Value>(found->second);
  }
};

/// Findings with the same keys.
struct FindingKind {
  std::string name;                     ///< key of their list in JSON reports
  std::string (*text)(const Finding&);  ///< lines of a text report
};

/// One row per kind, in the order of text reports, in job/steps/operations.cpp.
const std::vector<FindingKind>& finding_kinds();

/// The finding of that kind and step; null if there is none.
const Finding* find_finding(const std::vector<Finding>& all, const std::string& kind, const std::string& step);
/// Adds a finding, or merges it with that of other maps.
void add_finding(std::vector<Finding>& all, Finding more);

/// A finding for transport between ranks. Its inverse throws InternalError for a kind without a row.
nlohmann::json packed_finding(const Finding& finding);
Finding unpacked_finding(const nlohmann::json& packed);
/// A finding as in JSON reports. `labels`: of the maps of a campaign; empty for other jobs.
nlohmann::json finding_json(const Finding& finding, const std::vector<std::string>& labels);

}  // namespace armilla::job
