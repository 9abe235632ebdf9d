// Fails each phase of a job on one rank, one after the other: all ranks must throw the same error, none may hang, and
// no partial file stays. A run that hangs is ended by the time limit of the test; the last line on stderr names its
// fault.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/log.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/prepared_job.hpp>
#include <armilla/job/run_job.hpp>
#include <armilla/job/value/memory_source.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "job/job_folder.hpp"
#include "job_cases.hpp"
#include "phase_faults.hpp"
#include "support/mpi_main.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace armilla::test {
namespace {

namespace fs = std::filesystem;
using core::Index;

/// A run of a job with at most one fault.
struct Outcome {
  core::CaughtError error{core::ErrorKind::kInternal, ""};  ///< empty message: none
  PhasesSeen seen;
};

/// The sky of a job in memory.
std::shared_ptr<const job::Source> sky_in_memory(const comm::Communicator& world, Index maps) {
  const auto pixels =
      std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(grid::make_healpix(4)), world.size());
  const auto sky = std::make_shared<transform::MapField<double>>(transform::FieldKind::temperature_polarisation(),
                                                                 pixels, world.rank(), maps);
  std::mt19937 random(22);
  for (double& pixel : sky->data()) pixel = std::normal_distribution<double>()(random);
  return job::memory_source<transform::MapField<double>>({.name = "sky"}, sky);
}

/// A source with one map that one rank cannot read.
class BrokenSource final : public job::Source {
 public:
  BrokenSource(std::shared_ptr<const job::Source> whole, Index map, std::exception_ptr error)
      : whole_(std::move(whole)), map_(map), error_(std::move(error)) {
    described_ = whole_->described();
  }
  std::string text(Index item) const override { return whole_->text(item); }
  std::unique_ptr<job::SourceItem> open(Index item) const override {
    if (error_ && item == map_) std::rethrow_exception(error_);
    return whole_->open(item);
  }

 private:
  std::shared_ptr<const job::Source> whole_;
  Index map_;
  std::exception_ptr error_;
};

/// Collective. Runs kMemory with the source `sky`.
void run_in_memory(const comm::Communicator& world, std::string text, const std::shared_ptr<const job::Source>& sky) {
  const bool has_many = !sky->described().dimensions.empty();
  text.replace(text.find("STATISTICS"), 10,
               has_many ? "statistics: {spectra: cl, out: stats}" : "scale: {alm: found, factor: 2, out: doubled}");
  job::JobSpec spec = job::parse_job_alike(world, "version: 1" + text, "job", {}, "",
                                           {{{"sky", job::ValueSort::kMap}}, {"found", "map", "cl"}});
  if (has_many) spec.execution.batch = 2;
  transform::TransformCache cache(world);
  const job::PreparedJob job = job::prepare(world, spec, {{"sky", sky}});
  job::execute(world, job, cache);
}

class PhaseFaultsOf : public testing::TestWithParam<std::pair<Case, int>> {
 protected:
  PhaseFaultsOf() : world_(comm::Communicator::world()) {
    core::log().set_level(spdlog::level::off);
    if (world_.is_root()) {
      own_ = std::make_unique<JobFolder>();
      own_->spectra("dl.dat");
      own_->map("tqu.h5", grid::make_healpix(4), {"T", "Q", "U"}, 3);
      own_->map("mask.h5", grid::make_healpix(GetParam().first.name == kRadial.name ? 8 : 4), {}, 1);
      for (int i = 0; i < 5; ++i) own_->map(fmt::format("map_{}.h5", i), grid::make_healpix(4), {"T", "Q", "U"}, 3);
      std::string places = "lon,lat\n";
      for (int i = 0; i < 20; ++i) places += fmt::format("{},{}\n", 17 * i % 360, 8 * i - 80);
      own_->text("places.csv", places);
      std::string text = GetParam().first.text;
      if (const auto at = text.find("GROUPS"); at != std::string::npos)
        text.replace(at, 6, std::to_string(GetParam().second));
      own_->text("job.yaml", "version: 1" + text);
    }
    folder_ = world_.broadcast(own_ ? own_->path("") : std::string());
    if (GetParam().first.name == kMemory.name) sky_ = sky_in_memory(world_, GetParam().second);
  }
  ~PhaseFaultsOf() override { world_.barrier(); }

  /// Collective. `fault` is that of this rank.
  Outcome run(const std::optional<PhaseFault>& fault) {
    if (own_) {
      fs::remove_all(folder_ + "out");
      fs::create_directory(folder_ + "out");
    }
    world_.barrier();
    Outcome outcome;
    start_phase_faults(fault);
    try {
      job::RunOptions options;
      options.verbosity = job::Verbosity::kQuiet;
      if (sky_)
        run_in_memory(world_, GetParam().first.text, sky_);
      else
        run_job(world_, folder_ + "job.yaml", options);
    } catch (...) {
      outcome.error = core::describe_current_exception();
    }
    outcome.seen = phases_seen();
    world_.barrier();
    return outcome;
  }

  /// Collective. Fails phase `fault` of `rank`.
  void check(int rank, const PhaseFault& fault) {
    const std::string what = fmt::format("rank {}: {}", rank, fault_text(fault));
    if (world_.is_root()) {
      own_->text("fault", what);
      if (std::getenv("ARMILLA_TRIAL_VERBOSE") != nullptr) fmt::print(stderr, "{}\n", what);
    }
    const Outcome outcome = run(rank == world_.rank() ? std::optional(fault) : std::nullopt);
    const std::string at = world_.broadcast(outcome.seen.fault_at, rank);
    EXPECT_NE(at, "") << what << ": there was no such phase";
    const std::string expected = fault.kind == FaultKind::kBadAlloc ? "out of memory" : fault_text(fault);
    EXPECT_NE(outcome.error.message.find(expected), std::string::npos)
        << what << " at " << at << ": '" << outcome.error.message << "'";
    const std::string first = world_.broadcast(outcome.error.message);
    EXPECT_EQ(outcome.error.message, first) << what << " at " << at;
    EXPECT_EQ(outcome.error.kind, kind_of(fault.kind)) << what << " at " << at;
    if (own_) {
      for (const auto& entry : fs::directory_iterator(folder_ + "out"))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".armilla-"))
            << what << " at " << at << " leaves " << entry.path();
    }
  }

  static core::ErrorKind kind_of(FaultKind kind) {
    if (kind == FaultKind::kInput) return core::ErrorKind::kInput;
    return kind == FaultKind::kInternal ? core::ErrorKind::kInternal : core::ErrorKind::kResource;
  }

  comm::Communicator world_;
  std::unique_ptr<JobFolder> own_;
  std::string folder_;
  std::shared_ptr<const job::Source> sky_;  ///< of a job in memory
};

/// A call of the hook in one run: two for each phase, before and after its work.
struct Call {
  int rank;
  PhaseThread thread;
  int number;
  std::string place;
};

/// Collective. The calls of all ranks, in an order drawn by a seed.
std::vector<Call> calls_of_all(const comm::Communicator& world, const PhasesSeen& seen) {
  std::vector<Call> calls;
  for (int rank = 0; rank < world.size(); ++rank)
    for (const PhaseThread thread : {PhaseThread::kMain, PhaseThread::kFiles}) {
      const auto& own = seen.calls[static_cast<std::size_t>(thread)];
      std::istringstream places(world.broadcast(fmt::format("{}", fmt::join(own, "\n")), rank));
      int number = 0;
      for (std::string place; std::getline(places, place); ++number) calls.push_back({rank, thread, number, place});
    }
  std::mt19937 random(20);
  std::ranges::shuffle(calls, random);
  return calls;
}

/// Fails each phase once before and once after its work, in each thread that runs it, on one of the ranks: those that
/// no earlier job of this program has failed, with ARMILLA_TRIAL_ALL each call of each rank.
// claims: guarantee no_hang, guarantee thread_levels
TEST_P(PhaseFaultsOf, EachPhaseEndsAllRanksAlike) {
  const Outcome undisturbed = run(std::nullopt);
  ASSERT_EQ(undisturbed.error.message, "");
  // Place of the phase, thread, whether after its work, and whether groups of ranks run the job.
  static std::set<std::tuple<std::string, PhaseThread, bool, bool>> failed_before;
  const bool all = std::getenv("ARMILLA_TRIAL_ALL") != nullptr;
  constexpr std::array kKinds{FaultKind::kInput, FaultKind::kBadAlloc, FaultKind::kResource, FaultKind::kInternal};
  std::mt19937 random(21);
  std::set<std::string> places;
  int trials = 0;
  for (const Call& call : calls_of_all(world_, undisturbed.seen)) {
    places.insert(call.place);
    const bool in_groups = !sky_ && GetParam().second > 1;
    const bool is_new = failed_before.emplace(call.place, call.thread, call.number % 2 == 1, in_groups).second;
    const auto kind = kKinds[random() % kKinds.size()];
    if (!all && !is_new) continue;
    check(call.rank, {call.thread, call.number, kind});
    ++trials;
    double failed = HasFailure() ? 1 : 0;
    world_.max({&failed, 1});
    if (failed > 0) return;
  }
  if (world_.is_root())
    fmt::print("{}: {} faults, {} places of the sources, all ranks ended alike\n", GetParam().first.name, trials,
               places.size());
  EXPECT_GT(places.size(), 5u);
  EXPECT_GT(trials, 1);
}

std::string name_of(const testing::TestParamInfo<std::pair<Case, int>>& info) {
  std::string name = info.param.first.name;
  if (name == kMemory.name) return fmt::format("{}_{}_maps", name, info.param.second);
  std::ranges::replace(name, ' ', '_');
  return info.param.second == 0 ? name : fmt::format("{}_{}_groups", name, info.param.second);
}

INSTANTIATE_TEST_SUITE_P(Jobs, PhaseFaultsOf,
                         testing::Values(std::pair(kSynthesis, 0), std::pair(kIteration, 0), std::pair(kFit, 0),
                                         std::pair(kPoints, 0), std::pair(kRadial, 0), std::pair(kCampaign, 1),
                                         std::pair(kCampaign, 2), std::pair(kMemory, 1), std::pair(kMemory, 5)),
                         name_of);

/// Every rank in turn cannot read its part of a value in memory, or has no memory for it.
// claims: guarantee no_hang
TEST(PhaseFaults, ASourceThatThrowsOnOneRankEndsAllRanksAlike) {
  const auto world = comm::Communicator::world();
  const std::array<std::exception_ptr, 2> errors{std::make_exception_ptr(core::InputError("a source has failed")),
                                                 std::make_exception_ptr(std::bad_alloc())};
  for (const Index maps : {1, 5})
    for (int rank = 0; rank < world.size(); ++rank)
      for (std::size_t kind = 0; kind < errors.size(); ++kind) {
        const auto broken = std::make_shared<const BrokenSource>(
            sky_in_memory(world, maps), maps / 2, rank == world.rank() ? errors[kind] : std::exception_ptr());
        std::string message;
        try {
          run_in_memory(world, kMemory.text, broken);
        } catch (...) {
          message = core::describe_current_exception().message;
        }
        EXPECT_NE(message.find(kind == 0 ? "a source has failed" : "out of memory"), std::string::npos)
            << message << " rank " << rank << ", " << maps << " maps";
        EXPECT_EQ(message, world.broadcast(message));
      }
}

}  // namespace
}  // namespace armilla::test

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
