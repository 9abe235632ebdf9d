#include <armilla/comm/exchange.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/dist/degree_distribution.hpp>
#include <armilla/ops/rotate.hpp>
#include <armilla/rotation/rotator.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::ops {

namespace {

using core::Index;

constexpr long double kLongPi = 3.14159265358979323846264338327950288L;

using core::at;

void check(const alm::AlmLayout& layout, const math::EulerAngles& angles) {
  if (layout.mmax() < layout.lmax())
    throw core::InputError(
        fmt::format("rotate: the field has mmax = {} below lmax = {}, but rotated coefficients have all m: use a field "
                    "with mmax = lmax",
                    layout.mmax(), layout.lmax()));
  for (const long double angle : {angles.psi, angles.theta, angles.phi})
    if (!std::isfinite(angle)) throw core::InputError("rotate: an angle is not a finite number: use finite angles");
}

// Rotations that do not mix coefficients of different m.
enum class Shortcut { kNone, kAboutZ, kTurnedOver };

Shortcut shortcut(long double theta) {
  const long double rest = std::remainder(theta, 2 * kLongPi);
  if (rest == 0) return Shortcut::kAboutZ;
  return std::abs(rest) == kLongPi ? Shortcut::kTurnedOver : Shortcut::kNone;
}

// Multiplies a_lm by phases. If z is reversed, (-1)^l conj(a_lm) by phases.
template <class T>
void rotate_in_place(transform::AlmField<T>& alm, const math::EulerAngles& angles, Shortcut how) {
  const Index lmax = alm.distribution().layout().lmax();
  const bool over = how == Shortcut::kTurnedOver;
  const rotation::Phases phases =
      rotation::make_phases(over ? angles.phi - angles.psi : angles.phi + angles.psi, 0, lmax);
  const std::vector<Index> own_m = alm.distribution().local_m(alm.rank());
  const std::vector<Index> offsets = alm.distribution().local_offsets(alm.rank());
  for (Index map = 0; map < alm.maps(); ++map)
    for (Index c = 0; c < alm.kind().components(); ++c) {
      const auto values = alm.component(map, c);
#pragma omp parallel for schedule(static, 8)
      for (std::size_t k = 0; k < own_m.size(); ++k) {
        const Index m = own_m[k];
        const std::complex<double> phase(phases.cosine[at(m)], phases.minus_sine[at(m)]);
        for (Index l = m; l <= lmax; ++l) {
          std::complex<T>& value = values[at(offsets[k] + l)];
          const double sign = over && l % 2 != 0 ? -1.0 : 1.0;
          const double re = sign * static_cast<double>(value.real());
          const double im = m == 0 ? 0.0 : (over ? -sign : sign) * static_cast<double>(value.imag());
          value = {static_cast<T>(re * phase.real() - im * phase.imag()),
                   static_cast<T>(re * phase.imag() + im * phase.real())};
        }
      }
    }
}

/// Exchange of up to kMaxFields components with the owners of their degrees, and back.
template <class T>
class DegreeExchange {
 public:
  using Complex = std::complex<T>;

  DegreeExchange(const dist::AlmDistribution& alm, Index fields, int rank)
      : alm_(alm),
        degrees_(alm.layout().lmax(), alm.ranks()),
        rank_(rank),
        plan_(alm, degrees_, fields, rank),
        by_m_(plan_.send_size),
        by_degree_(plan_.receive_size) {
    for (int d = 0; d < alm.ranks(); ++d) blocks_.push_back(degrees_.blocks(d));
    Index index = 0;
    for (const dist::DegreeBlock& block : blocks_[at(rank)]) {
      runs_.push_back({block.first, block.count, index});
      index += block.count;
    }
  }

  // Visits runs of coefficients in the order of the send buffer: visit(field, offset in the component, position in the
  // buffer, count).
  template <class Visit>
  void over_send_buffer(Index fields, Visit&& visit) const {
    const std::vector<Index> own_m = alm_.local_m(rank_);
    const std::vector<Index> offsets = alm_.local_offsets(rank_);
#pragma omp parallel for schedule(static)
    for (int d = 0; d < alm_.ranks(); ++d) {
      Index place = plan_.send_displacements[at(d)];
      for (Index f = 0; f < fields; ++f)
        for (std::size_t k = 0; k < own_m.size(); ++k)
          for (const dist::DegreeBlock& block : blocks_[at(d)]) {
            const Index first = std::max(block.first, own_m[k]);
            const Index count = block.first + block.count - first;
            if (count <= 0) continue;
            visit(f, offsets[k] + first, place, count);
            place += count;
          }
    }
  }

  void pack(const transform::AlmField<T>& alm, Index first_field, Index fields) {
    const Complex* values = alm.data().data() + first_field * alm.local_size();
    over_send_buffer(fields, [&](Index f, Index from, Index to, Index count) {
      std::copy_n(values + f * alm.local_size() + from, count, by_m_.data() + to);
    });
  }
  void unpack(transform::AlmField<T>& alm, Index first_field, Index fields) const {
    Complex* values = alm.data().data() + first_field * alm.local_size();
    over_send_buffer(fields, [&](Index f, Index to, Index from, Index count) {
      std::copy_n(by_m_.data() + from, count, values + f * alm.local_size() + to);
    });
  }
  void forth(const comm::Communicator& comm) {
    comm::exchange<T>(comm, by_m_.span(), plan_.send_counts, plan_.send_displacements, by_degree_.span(),
                      plan_.receive_counts, plan_.receive_displacements);
  }
  void back(const comm::Communicator& comm) {
    comm::exchange<T>(comm, by_degree_.span(), plan_.receive_counts, plan_.receive_displacements, by_m_.span(),
                      plan_.send_counts, plan_.send_displacements);
  }
  rotation::DegreeView<T> view(Index fields) {
    return {by_degree_.data(), fields, plan_.offsets, plan_.field_strides, runs_};
  }

 private:
  const dist::AlmDistribution& alm_;
  dist::DegreeDistribution degrees_;
  int rank_;
  dist::DegreeExchangePlan plan_;
  core::AlignedBuffer<Complex> by_m_;
  core::AlignedBuffer<Complex> by_degree_;
  std::vector<std::vector<dist::DegreeBlock>> blocks_;  // [rank]
  std::vector<rotation::DegreeRun> runs_;
};

// Single rank: rotates all degrees in place.
template <class T>
void rotate_alone(transform::AlmField<T>& alm, rotation::Rotator& rotator) {
  const Index lmax = alm.distribution().layout().lmax();
  const std::vector<Index> offsets = alm.distribution().local_offsets(0);
  const std::vector<Index> strides(at(lmax + 1), alm.local_size());
  std::vector<rotation::DegreeRun> runs;
  for (const dist::DegreeBlock& block : dist::DegreeDistribution(lmax, 1).blocks(0))
    runs.push_back({block.first, block.count, block.first});
  rotator.rotate<T>({alm.data().data(), alm.maps() * alm.kind().components(), offsets, strides, runs});
}

}  // namespace

template <class T>
void rotate(const comm::Communicator& comm, transform::AlmField<T>& alm, const math::EulerAngles& angles) {
  const dist::AlmDistribution& distribution = alm.distribution();
  const Index lmax = distribution.layout().lmax();
  comm::phase(comm, [&] { check(distribution.layout(), angles); });
  if (const Shortcut how = shortcut(angles.theta); how != Shortcut::kNone) {
    comm::phase(comm, [&] { rotate_in_place(alm, angles, how); });
    return;
  }
  std::optional<rotation::Rotator> rotator;
  comm::phase(comm, [&] {
    rotator.emplace(angles, lmax, omp_get_max_threads());
    if (comm.size() == 1) rotate_alone(alm, *rotator);
  });
  if (comm.size() == 1) return;

  const Index all_fields = alm.maps() * alm.kind().components();
  std::optional<DegreeExchange<T>> exchange;
  for (Index first = 0; first < all_fields; first += rotation::kMaxFields) {
    const Index fields = std::min(rotation::kMaxFields, all_fields - first);
    comm::phase(comm, [&] {
      if (first == 0 || fields < rotation::kMaxFields) {
        exchange.reset();
        exchange.emplace(distribution, fields, comm.rank());
      }
      exchange->pack(alm, first, fields);
    });
    exchange->forth(comm);
    comm::phase(comm, [&] { rotator->rotate<T>(exchange->view(fields)); });
    exchange->back(comm);
    comm::phase(comm, [&] { exchange->unpack(alm, first, fields); });
  }
}

template <class T>
core::MemoryEstimate rotate_memory(const dist::AlmDistribution& alm, Index fields, int rank) {
  const Index lmax = alm.layout().lmax();
  core::MemoryEstimate memory{.workspace = rotation::Rotator::memory(lmax, omp_get_max_threads()).peak()};
  if (alm.ranks() == 1) return memory;
  const dist::DegreeExchangePlan plan(alm, dist::DegreeDistribution(lmax, alm.ranks()),
                                      std::min(fields, rotation::kMaxFields), rank);
  memory.workspace += static_cast<Index>(sizeof(std::complex<T>)) * (plan.send_size + plan.receive_size);
  return memory;
}

ARMILLA_INSTANTIATE(rotate);
ARMILLA_INSTANTIATE(rotate_memory);

}  // namespace armilla::ops
