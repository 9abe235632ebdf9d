#include <armilla/backend/delta_column.hpp>
#include <armilla/backend/resampled_engine.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/ring_values.hpp>
#include <armilla/resample/theta_quadrature.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <omp.h>

namespace armilla::backend {

namespace {

using legendre::EngineWorkspace;
using legendre::Task;
using resample::CircleRings;
using resample::PairValue;
using resample::ThetaQuadrature;
using resample::ThetaResampler;
using Complex64 = std::complex<double>;

using core::at;

// Contents of consecutive slots from a target pair on: complete pairs, single rings, or mixed.
enum class RunKind { kPairs, kRings, kMixed };

// Target pairs that are contiguous in memory, or (kMixed) read and written one by one.
struct Run {
  Index begin, end;
  RunKind kind;
};

std::vector<Run> runs_of(const Task& task) {
  const auto first_slot = [&](Index p) { return std::max(task.north_slot[at(p)], task.south_slot[at(p)]); };
  const auto kind_of = [&](Index p) {
    const Index north = task.north_slot[at(p)];
    const Index south = task.south_slot[at(p)];
    if (north < 0 || south < 0) return RunKind::kRings;
    return south == north + 1 ? RunKind::kPairs : RunKind::kMixed;
  };
  std::vector<Run> runs;
  for (Index p = 0; p < task.pairs(); ++p) {
    const RunKind kind = kind_of(p);
    // In a complete pair, the southern slot follows the northern one.
    const auto follows = [&] {
      const Index next = kind == RunKind::kPairs ? task.north_slot[at(p)] : first_slot(p);
      return next == first_slot(p - 1) + 1 && task.pair_block[at(p)] == task.pair_block[at(p - 1)];
    };
    if (p > 0 && runs.back().kind == kind && (kind == RunKind::kMixed || follows()))
      runs.back().end = p + 1;
    else
      runs.push_back({p, p + 1, kind});
  }
  return runs;
}

std::vector<resample::Hemisphere> hemispheres(const Task& task) {
  std::vector<resample::Hemisphere> sides;
  for (Index p = 0; p < task.pairs(); ++p)
    sides.push_back(task.north_slot[at(p)] >= 0 ? resample::Hemisphere::kNorth : resample::Hemisphere::kSouth);
  return sides;
}

// In single precision, coefficients are converted through a buffer in double, [map][component][l - m].
template <class T>
constexpr bool kConverts = !std::is_same_v<T, double>;

// The task of the inner engine: that of the source rings, with `column_offset` for coefficients that are converted.
template <class T>
Task inner_task(const Task& source, std::span<const Index> column_offset) {
  Task inner = source;
  if constexpr (kConverts<T>) {
    inner.alm_offset = column_offset;
    inner.component_stride = inner.lmax + 1;
    inner.map_stride = inner.components * inner.component_stride;
  }
  return inner;
}

// [local m] Offset of its coefficients in a buffer for one m.
std::vector<Index> column_offsets(const Task& task) {
  std::vector<Index> offsets;
  for (const Index m : task.m) offsets.push_back(-m);
  return offsets;
}

Index column_size(Index lmax, Index width) { return width * (lmax + 1); }

// Per-thread workspace, reused for all m.
struct ResampledWorkspace final : EngineWorkspace {
  ResampledWorkspace(std::unique_ptr<EngineWorkspace> inner_, const ThetaResampler& resampler,
                     const std::optional<ThetaQuadrature>& quadrature_, Index width, Index coefficients)
      : inner(std::move(inner_)),
        resampling(quadrature_ ? quadrature_->grid_side() : resampler),
        source(2 * resampler.source_pairs() * width),
        target(quadrature_ ? quadrature_->grid_side().target_pairs() : resampler.target_pairs()),
        column(coefficients) {
    if (quadrature_) quadrature.emplace(*quadrature_, resampling);
  }

  std::unique_ptr<EngineWorkspace> inner;
  ThetaResampler::Workspace resampling;
  std::optional<ThetaQuadrature::Workspace> quadrature;
  core::AlignedBuffer<Complex64> source;  // [source pair][north, south][component, map]
  core::AlignedBuffer<PairValue> target;  // [target pair]
  core::AlignedBuffer<Complex64> column;  // coefficients of one m; empty if T is double
};

template <class T>
class ResampledEngine final : public QuadratureEngine<T> {
 public:
  using Complex = std::complex<T>;

  ResampledEngine(const Options& options, const Task& task, const math::MeridianCircle& circle)
      : task_(task),
        circle_(circle_rings(task, circle)),
        resampler_(make_quadrature_resampler(options, task, task.lmax, circle_)),
        grid_side_(circle_ && circle.degree > task.lmax
                       ? new ThetaResampler(make_quadrature_resampler(options, task, circle.degree, circle_))
                       : nullptr),
        quadrature_(circle_ ? std::optional<ThetaQuadrature>(std::in_place, resampler_,
                                                             grid_side_ ? *grid_side_ : resampler_, *circle_)
                            : std::nullopt),
        source_(task, resampler_.source_cos(), resampler_.source_sin(), SourceDelta::kOneOrder),
        column_offset_(column_offsets(task)),
        runs_(runs_of(task)),
        hemisphere_(hemispheres(task)),
        inner_(legendre::make_engine<double>(options.engine, inner_task<T>(source_.task(), column_offset_))) {}

  Index count() const override { return inner_->count(); }

  std::unique_ptr<EngineWorkspace> make_workspace() const override {
    return std::make_unique<ResampledWorkspace>(inner_->make_workspace(), resampler_, quadrature_, task_.width(),
                                                kConverts<T> ? column_size(task_.lmax, task_.width()) : 0);
  }

  void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    auto& work = static_cast<ResampledWorkspace&>(workspace);
    const Index first = task_.first_pair[at(k)];
    if (first == task_.pairs()) return;
    synthesise_source(k, alm, work);
    for (Index w = 0; w < task_.width(); ++w) {
      resampler_.synthesis(parity(k), {work.source.data() + w, task_.width()}, work.resampling);
      for_each_run(first, [&](const Run& run) {
        if (Complex64* first_value = in_place(k, run, delta + w)) {
          if (run.kind == RunKind::kPairs)
            resampler_.get_targets(run.begin, run.end, {first_value, task_.width()}, work.resampling);
          else
            resampler_.get_rings(run.begin, run.end, hemisphere_.data(), first_value, task_.width(), work.resampling);
          return;
        }
        resampler_.get_targets(run.begin, run.end, column_of(work.target.data()), work.resampling);
        for (Index pair = run.begin; pair < run.end; ++pair) {
          const PairValue& value = work.target.data()[pair - run.begin];
          legendre::store_rings<T>(task_, delta, k, pair, w, {Complex(value.north()), Complex(value.south())});
        }
      });
    }
  }

  void apply_adjoint(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    auto& work = static_cast<ResampledWorkspace&>(workspace);
    const Index first = task_.first_pair[at(k)];
    for (Index w = 0; first < task_.pairs() && w < task_.width(); ++w) {
      resampler_.clear(work.resampling);
      for_each_run(first, [&](const Run& run) {
        if (const Complex64* first_value = in_place(k, run, delta + w)) {
          if (run.kind == RunKind::kPairs)
            resampler_.add_targets(run.begin, run.end, {first_value, task_.width()}, work.resampling);
          else
            resampler_.add_rings(run.begin, run.end, hemisphere_.data(), first_value, task_.width(), work.resampling);
          return;
        }
        for (Index pair = run.begin; pair < run.end; ++pair) {
          const auto [north, south] = legendre::load_rings<T>(task_, delta, k, pair, w);
          work.target.data()[pair - run.begin] = {{north.real(), north.imag(), south.real(), south.imag()}};
        }
        resampler_.add_targets(run.begin, run.end, column_of(std::as_const(work.target).data()), work.resampling);
      });
      resampler_.adjoint(parity(k), {work.source.data() + w, task_.width()}, work.resampling);
    }
    apply_adjoint_source(k, work, alm);
  }

  void analyse(Index k, Complex* delta, Complex* alm, EngineWorkspace& workspace) const override {
    auto& work = static_cast<ResampledWorkspace&>(workspace);
    check_quadrature(quadrature_.has_value());
    for (Index w = 0; task_.first_pair[at(k)] < task_.pairs() && w < task_.width(); ++w) {
      read_column<T>(task_, delta, k, w, work.target.data());
      quadrature_->rings_to_source(parity(k), at_pole(task_, k), work.target.data(),
                                   {work.source.data() + w, task_.width()}, *work.quadrature);
    }
    apply_adjoint_source(k, work, alm);
  }

  void adjoint_analyse(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const override {
    auto& work = static_cast<ResampledWorkspace&>(workspace);
    check_quadrature(quadrature_.has_value());
    if (task_.first_pair[at(k)] == task_.pairs()) return;
    synthesise_source(k, alm, work);
    for (Index w = 0; w < task_.width(); ++w) {
      quadrature_->source_to_rings(parity(k), at_pole(task_, k), {work.source.data() + w, task_.width()},
                                   work.target.data(), *work.quadrature);
      write_column<T>(task_, work.target.data(), k, w, delta);
    }
  }

 private:
  // alm -> source rings, by the inner engine; zero beyond the polar cut.
  void synthesise_source(Index k, const Complex* alm, ResampledWorkspace& work) const {
    if constexpr (kConverts<T>) {
      for_each_coefficient(k, [&](Index i, Index j) { work.column.data()[j] = Complex64(alm[i]); });
      inner_->synthesise(k, work.column.data(), work.source.data(), *work.inner);
    } else {
      inner_->synthesise(k, alm, work.source.data(), *work.inner);
    }
    std::fill_n(work.source.data(), 2 * task_.width() * source_.task().first_pair[at(k)], Complex64(0));
  }

  // The transpose of synthesise_source(). If m contributes to no ring, the inner engine reads nothing and sets the
  // coefficients to zero.
  void apply_adjoint_source(Index k, ResampledWorkspace& work, Complex* alm) const {
    if constexpr (kConverts<T>) {
      inner_->apply_adjoint(k, work.source.data(), work.column.data(), *work.inner);
      for_each_coefficient(k, [&](Index i, Index j) { alm[i] = Complex(work.column.data()[j]); });
    } else {
      inner_->apply_adjoint(k, work.source.data(), alm, *work.inner);
    }
  }

  resample::PoleParity parity(Index k) const { return resample::pole_parity(task_.m[at(k)], task_.spin); }

  // Calls visit(run) for the runs of all pairs starting at `first`.
  template <class Visit>
  void for_each_run(Index first, Visit&& visit) const {
    for (const Run& run : runs_)
      if (run.end > first) visit(Run{std::max(run.begin, first), run.end, run.kind});
  }

  // Start of a run of the k-th local m in Delta if resampling can access it in place, which requires double precision
  // and contiguous slots. Otherwise null: the data are copied through a buffer.
  template <class Value>
  auto in_place(Index k, const Run& run, Value* delta) const {
    if constexpr (kConverts<T>) {
      return static_cast<Complex64*>(nullptr);
    } else {
      const Index north = task_.north_slot[at(run.begin)];
      const Index slot = north >= 0 ? north : task_.south_slot[at(run.begin)];
      return run.kind == RunKind::kMixed ? nullptr : delta + task_.delta_position(k, run.begin, slot);
    }
  }

  // Calls visit(index in alm, index in the buffer of one m) for all coefficients of the k-th local m.
  template <class Visit>
  void for_each_coefficient(Index k, Visit&& visit) const {
    const Index m = task_.m[at(k)];
    Index column = 0;
    for (Index map = 0; map < task_.maps; ++map)
      for (Index component = 0; component < task_.components; ++component, column += task_.lmax + 1) {
        const Index begin = map * task_.map_stride + component * task_.component_stride + task_.alm_offset[at(k)];
        for (Index l = m; l <= task_.lmax; ++l) visit(begin + l, column + l - m);
      }
  }

  Task task_;
  std::optional<CircleRings> circle_;
  ThetaResampler resampler_;
  // Of the quadrature, if the rings determine higher degrees than lmax.
  std::unique_ptr<const ThetaResampler> grid_side_;
  std::optional<ThetaQuadrature> quadrature_;
  SourceRings source_;
  std::vector<Index> column_offset_;
  std::vector<Run> runs_;
  std::vector<resample::Hemisphere> hemisphere_;  // [pair] hemisphere of the ring of a pair with a single ring
  std::unique_ptr<legendre::Engine<double>> inner_;
};

}  // namespace

template <class T>
std::unique_ptr<QuadratureEngine<T>> make_resampled_engine(const Options& options, const Task& task,
                                                           const math::MeridianCircle& circle) {
  return std::make_unique<ResampledEngine<T>>(options, task, circle);
}

template <class T>
core::MemoryEstimate resampled_engine_memory(const Options& options, const Task& task) {
  const resample::FineGrid fine = fine_grid(options, task.lmax);
  constexpr auto kNumber = static_cast<Index>(sizeof(Complex64));
  const Index threads = omp_get_max_threads();
  const Index column = kConverts<T> ? column_size(task.lmax, task.width()) : 0;
  const Index buffers = (2 * resample::resampler_size(task.lmax, fine).source_pairs * task.width() + column) * kNumber +
                        task.pairs() * static_cast<Index>(sizeof(PairValue));
  return resample::ThetaResampler::memory(task.lmax, task.pairs(), threads, fine) +
         core::MemoryEstimate{.kept = threads * buffers};
}

ARMILLA_INSTANTIATE(make_resampled_engine);
ARMILLA_INSTANTIATE(resampled_engine_memory);

}  // namespace armilla::backend
