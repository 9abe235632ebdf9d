#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "fit_methods.hpp"
#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

struct Interrupted {};

// Keeps the state of some iterations in memory, and interrupts the solver there; the next one goes on from it.
class Memory final : public iteration::Checkpoint<double> {
 public:
  /// `stops`: ascending.
  explicit Memory(std::vector<Index> stops) : stops_(std::move(stops)) {}

  std::optional<std::vector<double>> take(const std::string& solver,
                                          std::span<AlmField<double>* const> fields) override {
    if (!numbers_) return std::nullopt;
    EXPECT_EQ(solver, solver_);
    EXPECT_EQ(fields.size(), fields_.size());
    for (std::size_t i = 0; i < fields.size(); ++i) std::ranges::copy(fields_[i], fields[i]->data().begin());
    ++taken;
    return numbers_;
  }
  void offer(const std::string& solver, Index iterations, std::span<AlmField<double>* const> fields,
             std::span<const double> numbers) override {
    if (next_ == stops_.size() || iterations < stops_[next_]) return;
    ++next_;
    solver_ = solver;
    numbers_.emplace(numbers.begin(), numbers.end());
    fields_.clear();
    for (const AlmField<double>* field : fields) fields_.emplace_back(field->data().begin(), field->data().end());
    throw Interrupted();
  }

  int taken = 0;

 private:
  std::vector<Index> stops_;
  std::size_t next_ = 0;
  std::string solver_;
  std::optional<std::vector<double>> numbers_;
  std::vector<std::vector<std::complex<double>>> fields_;
};

AnalysisMethod jacobi(iteration::Scheme scheme) {
  AnalysisMethod method;
  method.solver = Jacobi{.iterations = 8, .scheme = scheme};
  return method;
}

class Checkpoints : public testing::Test {
 protected:
  Checkpoints()
      : world_(comm::Communicator::world()),
        transform_(world_, test::make_spec(kKind, std::make_shared<grid::RingGrid>(grid::make_healpix(8)), {20, 20},
                                           world_.size(), kMaps)),
        map_(kKind, transform_.spec().pixels, world_.rank(), kMaps),
        mask_(FieldKind::scalar(), transform_.spec().pixels, world_.rank(), 1) {
    test::fill_map(map_, [](Index k, Index c, Index p) {
      const auto x = static_cast<double>(p);
      return std::sin(0.7 * x + static_cast<double>(k)) + static_cast<double>(c) * std::cos(0.013 * x * x);
    });
    test::fill_map(mask_, [](Index, Index, Index p) { return p % 97 < 90 ? 1.0 : 0.0; });
  }

  AlmField<double> analysed(const AnalysisMethod& method, Memory* memory) {
    AlmField<double> alm(kKind, transform_.spec().alm, world_.rank(), kMaps);
    test::poison(alm);
    FitMaps<double> maps;
    if (method.fit() != nullptr) maps.mask = &mask_;
    for (const AnalysisOutcome& outcome : Analysis<double>(transform_, method).run(map_, alm, maps, memory))
      EXPECT_TRUE(outcome.converged);
    return alm;
  }

  /// Of all that the method finds after an interruption, and without one.
  double difference(const AnalysisMethod& method, const std::vector<Index>& stops) {
    const AlmField<double> whole = analysed(method, nullptr);
    Memory memory(stops);
    for (std::size_t run = 0; run < stops.size(); ++run) EXPECT_THROW(analysed(method, &memory), Interrupted);
    const AlmField<double> resumed = analysed(method, &memory);
    EXPECT_EQ(memory.taken, static_cast<int>(stops.size()));
    std::vector<double> largest{0, 0};
    for (std::size_t i = 0; i < whole.data().size(); ++i) {
      largest[0] = std::max(largest[0], std::abs(whole.data()[i] - resumed.data()[i]));
      largest[1] = std::max(largest[1], std::abs(whole.data()[i]));
    }
    world_.max(std::span<double>(largest));
    return largest[0] / largest[1];
  }

  static constexpr Index kMaps = 2;
  inline static const FieldKind kKind = FieldKind::temperature_polarisation();
  comm::Communicator world_;
  FieldTransform<double> transform_;
  MapField<double> map_, mask_;
};

// Two maps with two spin fields each, which stop at iterations of their own; at the begin, in the middle, and in a
// later round, when some have finished.
// claims: checkpoint cg
TEST_F(Checkpoints, OfConjugateGradientsGiveTheSameBits) {
  for (const std::vector<Index>& stops : {std::vector<Index>{0}, {1}, {7}, {15}, {2, 3, 12}})
    EXPECT_EQ(difference(cg(1e-11, 300), stops), 0.0) << stops.front();
}

TEST_F(Checkpoints, OfRegularisedFitsGiveTheSame) {
  AnalysisMethod by_cg = cg(1e-11, 300), by_lsmr = lsmr(1e-11, 300);
  by_cg.fit()->regularise.penalty = by_lsmr.fit()->regularise.penalty = 2;
  for (const std::vector<Index>& stops : {std::vector<Index>{0}, {3}}) EXPECT_EQ(difference(by_cg, stops), 0.0);
  EXPECT_LT(difference(by_lsmr, {3}), 1e-8);
}

// claims: checkpoint lsmr
TEST_F(Checkpoints, OfLsmrGiveTheSameWithinTheTolerance) {
  for (const std::vector<Index>& stops : {std::vector<Index>{1}, {7}, {15}, {1, 2, 3, 4, 5}})
    EXPECT_LT(difference(lsmr(1e-11, 300), stops), 1e-8) << stops.front();
}

// claims: checkpoint analysis to a tolerance with cg
TEST_F(Checkpoints, OfAnAnalysisToAToleranceGiveTheSameBits) {
  AnalysisMethod method;
  method.solver = Accuracy{1e-10};
  EXPECT_EQ(difference(method, {3}), 0.0);
}

// claims: checkpoint jacobi by pixels, checkpoint jacobi by rings
TEST_F(Checkpoints, OfCorrectionsGiveTheSame) {
  for (const Index stop : {1, 5}) {
    EXPECT_EQ(difference(jacobi(iteration::Scheme::kPixel), {stop}), 0.0) << stop;
    EXPECT_LT(difference(jacobi(iteration::Scheme::kRing), {stop}), 1e-13) << stop;
  }
}

}  // namespace
}  // namespace armilla::ops
