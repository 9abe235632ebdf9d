#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/field_iterations.hpp>
#include <armilla/iteration/immediate_iteration.hpp>
#include <armilla/iteration/make_iteration.hpp>
#include <armilla/iteration/normal_matrix_iteration.hpp>
#include <armilla/iteration/whole_maps.hpp>
#include <armilla/transform/delta_transform.hpp>

#include <optional>
#include <utility>

namespace armilla::iteration {

namespace {

// Limit for the workspace of each part of a stage for whole maps, on devices of several ranks.
constexpr Index kWholeMapsWork = Index{256} << 20;

FieldTransformSpec on_device_of_one_rank(FieldTransformSpec spec, backend::Kind backend) {
  spec.backend = backend;
  spec.device_work = kWholeMapsWork;
  return spec;
}

// Distributes whole maps to the ranks. Each rank iterates its maps independently.
template <class T>
class DealtIteration final : public Iteration<T> {
 public:
  DealtIteration(FieldTransform<T>& transform, Scheme scheme, std::vector<double> ring_weights)
      : transform_(transform) {
    const DeltaTransform<T>& delta = transform.delta();
    const FieldTransformSpec own =
        delta.alone() ? transform.spec() : WholeMaps<T>::whole_spec(transform.spec(), transform.comm().rank());
    const bool has_maps = own.maps > 0;
    if (delta.on_device() && !delta.alone()) {
      own_comm_.emplace(transform.comm().alone());
      comm::phase(transform.comm(), [&] {
        if (has_maps)
          own_transform_ = std::make_unique<FieldTransform<T>>(
              *own_comm_, on_device_of_one_rank(own, transform.backend()), Monitor{});
      });
    }
    delta.in_phase("legendre", [&] {
      if (!has_maps) return;
      std::vector<double> weight = own_weights(*own.pixels, 0, ring_weights);
      if (scheme == Scheme::kNormalMatrix)
        one_rank_ = std::make_unique<NormalMatrixIteration<T>>(own, ring_weights);
      else if (delta.on_device())
        one_rank_ = std::make_unique<DeviceImmediateIteration<T>>(own_transform_ ? *own_transform_ : transform,
                                                                  std::move(weight));
      else
        one_rank_ = std::make_unique<ImmediateIteration<T>>(own, weight);
    });
  }

  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>*) override {
    const DeltaTransform<T>& delta = transform_.delta();
    if (delta.alone()) {
      delta.in_phase("legendre", [&] { one_rank_->analyse(map, corrections, alm, nullptr); });
      return;
    }
    std::unique_ptr<WholeMaps<T>> whole;
    comm::phase(transform_.comm(),
                [&] { whole = std::make_unique<WholeMaps<T>>(transform_.comm(), transform_.spec()); });
    delta.timed("exchange", [&] { whole->take(map); });
    delta.in_phase("legendre", [&] {
      if (one_rank_) one_rank_->analyse(whole->map(), corrections, whole->alm(), nullptr);
    });
    alm.overwrite(backend::host_memory());
    delta.timed("exchange", [&] { whole->give(alm); });
  }

  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank, Scheme scheme, Index corrections) {
    const bool alone = spec.alm->ranks() == 1;
    const FieldTransformSpec own = alone ? spec : WholeMaps<T>::whole_spec(spec, rank);
    core::MemoryEstimate memory{.workspace = alone ? 0 : WholeMaps<T>::memory(spec, rank).peak()};
    if (own.maps == 0) return memory;
    if (scheme == Scheme::kNormalMatrix) return in_turn(memory, NormalMatrixIteration<T>::memory(own));
    if (!spec.on_device()) return in_turn(memory, ImmediateIteration<T>::memory(own));
    if (!alone) memory.kept = FieldTransform<T>::device_memory(own, 0).with_work(kWholeMapsWork).peak();
    return memory + DeviceImmediateIteration<T>::memory(own, corrections);
  }

 private:
  using Monitor = transform::Monitor;

  FieldTransform<T>& transform_;
  std::optional<comm::Communicator> own_comm_;
  std::unique_ptr<FieldTransform<T>> own_transform_;  ///< on a device of several ranks
  std::unique_ptr<Iteration<T>> one_rank_;            ///< null if the rank has no map
};

}  // namespace

template <class T>
std::unique_ptr<Iteration<T>> make_iteration(FieldTransform<T>& transform, const IterationSpec& iterations,
                                             AnalysisOperator<T> analysis) {
  const FieldTransformSpec& spec = transform.spec();
  const Scheme scheme = choose_scheme(spec, iterations);
  if (scheme == Scheme::kPixel) return std::make_unique<PixelIteration<T>>(transform, std::move(analysis));
  if (deals_whole_maps(scheme, iterations.order))
    return std::make_unique<DealtIteration<T>>(transform, scheme, std::move(analysis.ring_weights));
  return std::make_unique<RingIteration<T>>(transform,
                                            own_weights(*spec.pixels, transform.comm().rank(), analysis.ring_weights));
}

template <class T>
core::MemoryEstimate iteration_memory(const FieldTransformSpec& spec, int rank, const IterationSpec& iterations,
                                      bool needs_scratch) {
  const Scheme scheme = choose_scheme(spec, iterations);
  if (scheme == Scheme::kPixel) return PixelIteration<T>::memory(spec, rank, iterations.count, needs_scratch);
  if (deals_whole_maps(scheme, iterations.order))
    return DealtIteration<T>::memory(spec, rank, scheme, iterations.count);
  return RingIteration<T>::memory(spec, rank);
}

ARMILLA_INSTANTIATE(make_iteration);
ARMILLA_INSTANTIATE(iteration_memory);

}  // namespace armilla::iteration
