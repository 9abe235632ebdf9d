#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/value/patterns.hpp>

#include <set>
#include <string>
#include <vector>

#include "error_message.hpp"
#include "job_folder.hpp"
#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using test::contains;
using test::input_error;

TEST(Patterns, RangesKeepTheWidthOfTheFirstNumber) {
  const InputItems items = expand_pattern("sims/map_{008..011}.fits");
  EXPECT_EQ(items.labels, (std::vector<std::string>{"008", "009", "010", "011"}));
  EXPECT_EQ(items.files.back(), "sims/map_011.fits");
  EXPECT_EQ(expand_pattern("{9..10}.h5").files, (std::vector<std::string>{"9.h5", "10.h5"}));
  EXPECT_TRUE(is_pattern("a{0..1}"));
  EXPECT_FALSE(is_pattern("a{b..c}{}.fits"));
  EXPECT_TRUE(contains(input_error([] { expand_pattern("a{0..1}b{0..1}"); }), "two number ranges"));
  EXPECT_TRUE(contains(input_error([] { expand_pattern("a{0..1}*"); }), "wildcards"));
  EXPECT_TRUE(contains(input_error([] { expand_pattern("a{0..10000000}"); }), "at most"));
  // Numbers of files, and the number after the last one, do not overflow.
  for (const char* pattern : {"a{0..9223372036854775807}", "a{9223372036854775800..9223372036854775807}",
                              "a{0000000000000000000..5}", "a{0..99999999999999999999}x{0..9223372036854775807}"})
    EXPECT_TRUE(contains(input_error([&] { expand_pattern(pattern); }), "at most")) << pattern;
}

TEST(Patterns, WildcardsAreSortedAndGiveTheirLabels) {
  const test::JobFolder folder;
  for (const char* name : {"m_b.fits", "m_a.fits", "m_10.fits", "other.fits"}) folder.text(name, "x");
  const InputItems items = expand_pattern(folder.path("m_*.fits"));
  EXPECT_EQ(items.labels, (std::vector<std::string>{"10", "a", "b"}));
  EXPECT_EQ(items.files.front(), folder.path("m_10.fits"));
  EXPECT_EQ(expand_pattern(folder.path("m_[ab].fits")).labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(expand_pattern(folder.path("?_a.f*s")).labels, std::vector<std::string>{"m_a.fit"});
  // A file of that very name is meant itself.
  folder.text("star*.h5", "x");
  EXPECT_FALSE(is_pattern(folder.path("star*.h5")));
}

TEST(Patterns, PlaceholdersBecomeLabels) {
  EXPECT_EQ(with_label("out/{}/m_{}.h5", "07"), "out/07/m_07.h5");
  EXPECT_EQ(with_label("{}{}", "{}"), "{}{}");
  EXPECT_FALSE(has_placeholder("m.h5"));
}

TEST(Patterns, NumbersGetTheDigitsOfTheLongest) {
  EXPECT_EQ(label_digits({"8", "9", "10"}), 2);
  EXPECT_EQ(label_digits({"008", "009"}), 3);
  EXPECT_EQ(label_digits({"0"}), 1);
  EXPECT_EQ(label_digits({"10", "8", "9"}), 0);  // sorted by name
  EXPECT_EQ(label_digits({"a", "b"}), 0);
  EXPECT_EQ(with_label("m_{}.h5", "8", 2), "m_08.h5");
  EXPECT_EQ(with_label("m_{}.h5", "a", 0), "m_a.h5");
  EXPECT_EQ(with_label("{:04}/m_{}.h5", "8", 2), "0008/m_08.h5");
  EXPECT_EQ(with_label("m_{:01}.h5", "008", 3), "m_8.h5");
  EXPECT_EQ(with_label("m_{:02}.h5", "123", 3), "m_123.h5");
}

TEST(Patterns, PlaceholdersOfOtherFormsAreRefused) {
  for (const char* file : {"m_{:4}.h5", "m_{:0}.h5", "m_{:x}.h5", "m_{:04d}.h5", "m_{:", "m_{:019}"})
    EXPECT_TRUE(contains(input_error([&] { has_placeholder(file); }), "expected '{}', or '{:04}'")) << file;
  EXPECT_TRUE(contains(input_error([] { with_label("m_{:04}.h5", "a"); }), "a map is called 'a'"));
  EXPECT_TRUE(has_placeholder("m_{:04}.h5"));
}

TEST(MapGroups, AreConsecutiveAndNearlyEqual) {
  for (int ranks = 1; ranks <= 9; ++ranks)
    for (int groups = 1; groups <= ranks; ++groups) {
      const MapGroups split{ranks, groups};
      std::vector<int> sizes(static_cast<std::size_t>(groups), 0);
      for (int rank = 0; rank < ranks; ++rank) {
        const int group = split.group_of(rank);
        ASSERT_LT(group, groups);
        if (sizes[static_cast<std::size_t>(group)]++ == 0) {
          EXPECT_EQ(split.first_rank(group), rank);
        }
      }
      const auto [least, most] = std::ranges::minmax(sizes);
      EXPECT_GE(least, 1);
      EXPECT_LE(most - least, 1);
    }
}

class PlanOfCampaign : public testing::Test {
 protected:
  PlanOfCampaign() {
    for (const char* name : {"m0.h5", "m1.h5", "m2.h5"}) folder_.map(name, grid::make_healpix(4), {"T"}, 1);
    const dist::AlmDistribution whole(alm::AlmLayout(8, 8), 1);
    const std::vector<std::complex<double>> values(static_cast<std::size_t>(whole.local_size(0)), 0.5);
    io::write_alm<double>(comm::Communicator::self(), folder_.path("one.h5"), {{"T"}, {"mK"}, "G", ""}, whole, values,
                          {});
  }
  JobPlan plan() const {
    return plan_job(comm::Communicator::self(),
                    parse_job("version: 1\n"
                              "inputs:\n  sky: {map: \"m{0..2}.h5\"}\n  one: {alm: one.h5}\n"
                              "steps:\n  - analysis: {map: sky, lmax: 8, out: a}\n"
                              "  - scale: {alm: one, factor: 2, out: two}\n"
                              "  - add: {alm: a, with: two, out: b}\n"
                              "  - smooth: {alm: b, fwhm_arcmin: 60, out: c}\n"
                              "outputs:\n  two: {file: two.h5}\n  a: {file: a.h5}\n  c: {file: \"c_{}.fits\"}\n",
                              folder_.path("job.yaml")));
  }
  test::JobFolder folder_;
};

TEST_F(PlanOfCampaign, WhatIsOneForAllRunsOnceAndStays) {
  const JobPlan job = plan();
  ASSERT_TRUE(job.campaign.has_value());
  EXPECT_EQ(job.campaign->labels, (std::vector<std::string>{"0", "1", "2"}));
  using enum ActionKind;
  // Values: sky, one, a, two, b, c. 'two' is never freed.
  EXPECT_EQ(job.schedule, (std::vector<Action>{{kRead, 1}, {kStep, 1}, {kWrite, 0}, {kBuildTransform, 0}}));
  // 'a' is written when it is freed, so the sum gets memory of its own; 'b' is smoothed in place.
  EXPECT_EQ(job.campaign->schedule, (std::vector<Action>{{kRead, 0},
                                                         {kStep, 0},
                                                         {kFree, 0},
                                                         {kStep, 2},
                                                         {kWrite, 1},
                                                         {kFree, 2},
                                                         {kStep, 3},
                                                         {kWrite, 2},
                                                         {kFree, 5}}));
  EXPECT_EQ(job.outputs[0].form, OutputForm::kOne);
  EXPECT_EQ(job.outputs[1].form, OutputForm::kBatchAxis);
  EXPECT_EQ(job.outputs[2].form, OutputForm::kEach);
  EXPECT_EQ(output_file(job, 2, 1), folder_.path("c_1.fits"));
}

TEST_F(PlanOfCampaign, MemoryGrowsWithTheBatchAsFieldsDo) {
  JobPlan job = plan();
  const auto peak = [&](Index batch) {
    set_batch(job, batch);
    return forecast_memory(job, 0, 0).peak();
  };
  const Index map = 192 * 8;
  const Index alm = 45 * 16;
  // All three maps are one batch: nothing is read ahead, nothing of another batch is being written.
  EXPECT_GE(peak(17) - peak(9), 8 * (map + 2 * alm));
  // Of three batches at least: the map twice (one is read ahead), a and c being written, and two of a, b, c.
  EXPECT_GE(peak(1), 2 * map + 4 * alm);
  // Of two batches of two maps, and of three of one map, which are read and written at the same time.
  EXPECT_LT(peak(2), 2 * peak(1));
}

}  // namespace
}  // namespace armilla::job
