#include <armilla/math/wigner.hpp>
#include <armilla/normal_matrix/edge_rows.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace armilla::normal_matrix {

using core::at;

EdgeRows::EdgeRows(const NormalTask& task, const std::string& engine)
    : task_(task),
      m_(at(task.mmax() + 1)),
      zeros_(at(task.mmax() + 1), 0),
      north_(at(task.pairs())),
      south_(at(task.pairs())),
      block_(at(task.pairs()), 0) {
  std::iota(m_.begin(), m_.end(), Index{0});
  for (Index p = 0; p < task.pairs(); ++p) {
    north_[at(p)] = 2 * p;
    south_[at(p)] = task.has_mirror[at(p)] ? 2 * p + 1 : -1;
  }
  const Index degrees = task.lmax + 1;
  legendre_ = {.lmax = task.lmax,
               .spin = task.spin,
               .components = task.spin == 0 ? 1 : 2,
               .maps = kRows,
               .m = m_,
               .alm_offset = zeros_,
               .component_stride = degrees,
               .map_stride = (task.spin == 0 ? 1 : 2) * degrees,
               .cos_theta = task.cos_theta,
               .sin_theta = task.sin_theta,
               .first_pair = task.first_pair,
               .block_shift = zeros_,
               .pair_block = block_,
               .north_slot = north_,
               .south_slot = south_,
               .blocks = 1,
               .delta_read_at_once = true};
  engine_ = legendre::make_engine<double>(engine, legendre_);
}

EdgeRows::Maker::Maker(const EdgeRows& rows)
    : shared_(rows),
      degrees_(rows.task_.lmax + 1),
      workspace_(rows.engine_->make_workspace()),
      alm_(at(rows.legendre_.width() * degrees_)),
      delta_(at(2 * rows.task_.pairs() * rows.legendre_.width())),
      rows_(at(kRows * degrees_)) {}

void EdgeRows::Maker::make(Index from, Index to, std::span<const double> factor, bool mirrored) {
  const NormalTask& task = shared_.task_;
  const legendre::Task& legendre = shared_.legendre_;
  std::ranges::fill(alm_, 0.0);
  std::ranges::fill(delta_, 0.0);
  for (Index row = 0; row < kRows; ++row) {
    const Index l = task.lmax - row;
    if (l < math::lowest_degree(task.spin, from)) continue;
    if (task.spin == 0) {
      legendre.coefficients(alm_.data(), from, 0, row)[l] = 1;
    } else {
      // u = E + i B = 1, v = 0.
      legendre.coefficients(alm_.data(), from, 0, row)[l] = 0.5;
      legendre.coefficients(alm_.data(), from, 1, row)[l] = {0, -0.5};
    }
  }
  shared_.engine_->synthesise(from, alm_.data(), delta_.data(), *workspace_);
  const Index width = legendre.width();
  for (Index p = 0; p < task.pairs(); ++p) {
    std::complex<double>* north = &delta_[at(2 * p * width)];
    for (Index i = 0; i < 2 * width; ++i) north[i] *= factor[at(p)];
    if (mirrored && task.has_mirror[at(p)]) std::swap_ranges(north, north + width, north + width);
  }
  shared_.engine_->apply_adjoint(to, delta_.data(), alm_.data(), *workspace_);
  for (Index row = 0; row < kRows; ++row) {
    const std::complex<double>* e = legendre.coefficients(alm_.data(), to, 0, row);
    const std::complex<double>* b = legendre.coefficients(alm_.data(), to, legendre.components - 1, row);
    double* out = &rows_[at(row * degrees_)];
    const Index first = math::lowest_degree(task.spin, to);
    std::fill(out, out + std::min(first, degrees_), 0.0);
    for (Index l = first; l < degrees_; ++l) out[l] = e[l].real() - (task.spin == 0 ? 0.0 : b[l].imag());
  }
}

}  // namespace armilla::normal_matrix
