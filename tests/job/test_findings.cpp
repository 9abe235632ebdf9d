#include <armilla/core/error.hpp>
#include <armilla/job/run/finding.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace armilla::job {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One value of each type, for one map.
Finding finding_of_map(Index item, double number) {
  return {"analyses",
          "steps[1].analysis",
          {{"method", "cg"},
           {"maps", SumOverMaps{1}},
           {"residual", OverMaps::of(number)},
           {"rms", LargestOverMaps{{{"T", number}, {"E", -number}}}},
           {"condition_iterations", OfLargestMap{number, 10 + item}},
           {"slope", EachMap{{{item, number}}}}}};
}

nlohmann::json merged_in(const std::vector<Index>& order) {
  std::vector<Finding> all;
  for (const Index item : order) add_finding(all, finding_of_map(item, item == 1 ? 7 : static_cast<double>(item)));
  EXPECT_EQ(all.size(), 1u);
  return finding_json(all.front(), {"a", "b", "c"});
}

TEST(Findings, MergeOverMapsInAnyOrder) {
  const nlohmann::json expected{{"step", "steps[1].analysis"},
                                {"method", "cg"},
                                {"maps", 3},
                                {"residual", {{"min", 0.0}, {"max", 7.0}}},
                                {"rms", {{"T", 7.0}, {"E", 0.0}}},
                                {"condition_iterations", 11},
                                {"slope", {0.0, 7.0, 2.0}},
                                {"labels", {"a", "b", "c"}}};
  EXPECT_EQ(merged_in({0, 1, 2}), expected);
  EXPECT_EQ(merged_in({2, 1, 0}), expected);
}

TEST(Findings, AMapThatTwoGroupsReportHasOneNumber) {
  std::vector<Finding> all;
  add_finding(all, finding_of_map(0, 3));
  add_finding(all, finding_of_map(0, 3));
  EXPECT_EQ(finding_json(all.front(), {})["slope"], nlohmann::json::array({3.0}));
  EXPECT_FALSE(finding_json(all.front(), {}).contains("labels"));
}

TEST(Findings, OtherKindsAndStepsAreKeptApart) {
  std::vector<Finding> all;
  add_finding(all, {"analyses", "steps[0].analysis", {{"maps", SumOverMaps{1}}}});
  add_finding(all, {"comparisons", "steps[0].analysis", {{"maps", SumOverMaps{1}}}});
  add_finding(all, {"analyses", "steps[1].analysis", {{"maps", SumOverMaps{1}}}});
  add_finding(all, {"analyses", "steps[0].analysis", {{"unconverged", SumOverMaps{2}}, {"maps", SumOverMaps{4}}}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all.front().value<SumOverMaps>("maps").sum, 5);
  EXPECT_EQ(all.front().value<SumOverMaps>("unconverged").sum, 2);
  EXPECT_EQ(find_finding(all, "analyses", "steps[1].analysis"), &all.back());
  EXPECT_EQ(find_finding(all, "comparisons", "steps[1].analysis"), nullptr);
}

TEST(Findings, TransportKeepsAllTypesAndNumbersThatAreNotFinite) {
  for (const double number : {0.1, kInfinity, std::nan("")}) {
    const nlohmann::json sent = packed_finding(finding_of_map(2, number));
    const Finding received = unpacked_finding(nlohmann::json::parse(sent.dump()));
    EXPECT_EQ(packed_finding(received), sent);
    EXPECT_EQ(std::isnan(received.value<OfLargestMap>("condition_iterations").size), std::isnan(number));
    EXPECT_EQ(received.value<EachMap>("slope").numbers.count(2), 1u);
    EXPECT_EQ(received.value<LargestOverMaps>("rms").components[1].first, "E");
  }
  // Without maps, as a group that has left out all of its maps.
  const Finding none = unpacked_finding(packed_finding({"analyses", "steps[0].analysis", {{"residual", OverMaps()}}}));
  EXPECT_FALSE(none.value<OverMaps>("residual").any());
  EXPECT_EQ(none.value<OverMaps>("residual").min, kInfinity);
}

TEST(Findings, KindsWithoutARowAreInternalErrors) {
  EXPECT_THROW(unpacked_finding(packed_finding({"secrets", "steps[0].analysis", {}})), core::InternalError);
}

TEST(Findings, EachKindHasItsText) {
  const auto text_of = [](const std::string& name, const FindingValues& values) {
    for (const FindingKind& kind : finding_kinds())
      if (kind.name == name) return kind.text({name, "steps[2].one", values});
    return std::string("no such kind");
  };
  EXPECT_EQ(
      text_of("comparisons", {{"values", "a"},
                              {"reference", "b"},
                              {"maps", SumOverMaps{2}},
                              {"relative_rms", LargestOverMaps{{{"T", 0.25}}}},
                              {"largest_difference", LargestOverMaps{{{"T", 3.0}}}}}),
      "relative rms error of 'a' against 'b', maximum over 2 maps:  T 2.50e-01; largest difference:  T 3.00e+00\n");
  EXPECT_EQ(text_of("leakage", {{"map", "b"}, {"slope", EachMap{{{3, 0.5}}}}, {"intercept", EachMap{{{3, 2.0}}}}}),
            "leakage in 'b': slope 0.5, intercept 2\n");
  EXPECT_EQ(text_of("leakage", {{"map", "b"}, {"slope", EachMap{{{3, 0.5}, {4, 0.25}}}}}),
            "leakage in 'b', 2 maps: slopes 0.25 .. 0.5\n");
  EXPECT_EQ(
      text_of("analyses", {{"method", "newton"},
                           {"maps", SumOverMaps{3}},
                           {"unconverged", SumOverMaps{1}},
                           {"iterations", OverMaps{2, 4}},
                           {"displacement_residual_rad", OverMaps{1e-12, 1e-12}}}),
      "steps[2].one by newton: 2 .. 4 iterations, displaced points within 1e-12 rad of the pixels, NOT CONVERGED: "
      "1 of 3 maps\n");
}

}  // namespace
}  // namespace armilla::job
