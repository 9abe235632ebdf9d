#include <armilla/backend/check_case.hpp>
#include <armilla/core/instantiate.hpp>

#include <cmath>
#include <cstdint>
#include <utility>

namespace armilla::backend {

namespace {

using core::at;

// Uniformly distributed in -1.7 .. 1.7, by a hash of `seed` and `index` (SplitMix64, Steele et al. 2014).
double noise(std::uint64_t seed, std::size_t index) {
  std::uint64_t z = (seed << 40) + (static_cast<std::uint64_t>(index) + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return 3.4 * (static_cast<double>(z >> 11) * 0x1p-53 - 0.5);
}

// Orders m above lmax sin(theta) + kOrdersBeyond are negligible in double precision: functions of order m decrease as
// (lmax sin(theta) / m)^m.
constexpr double kOrdersBeyond = 30;

}  // namespace

std::vector<CheckPair> healpix_pairs(Index nside) {
  std::vector<CheckPair> pairs;
  const auto n = static_cast<double>(nside);
  for (Index i = 1; i < nside; ++i)
    pairs.push_back({2 * std::asin(static_cast<double>(i) / (n * std::sqrt(6.0))),
                     core::kPi / (4.0 * static_cast<double>(i)), 4 * i});
  for (Index i = nside; i < 2 * nside; ++i)
    pairs.push_back({std::acos((4 * n - 2 * static_cast<double>(i)) / (3 * n)),
                     (i - nside) % 2 == 0 ? core::kPi / (4 * n) : 0.0, 4 * nside});
  pairs.push_back({core::kPi / 2, nside % 2 == 0 ? core::kPi / (4 * n) : 0.0, 4 * nside});
  return pairs;
}

std::vector<CheckPair> gauss_pairs(Index rings, Index nphi) {
  std::vector<CheckPair> pairs;
  for (Index i = 0; i < rings / 2; ++i)
    pairs.push_back({(static_cast<double>(i) + 0.75) / (static_cast<double>(rings) + 0.5) * core::kPi, 0, nphi});
  if (rings % 2 != 0) pairs.push_back({core::kPi / 2, 0, nphi});
  return pairs;
}

std::vector<CheckPair> equidistant_pairs(Index rings, Index nphi) {
  std::vector<CheckPair> pairs;
  for (Index i = 0; i < rings / 2; ++i)
    pairs.push_back({core::kPi * static_cast<double>(i) / static_cast<double>(rings - 1), 0, nphi});
  pairs.push_back({core::kPi / 2, 0, nphi});
  return pairs;
}

CheckCase::CheckCase(Shape shape) : shape_(std::move(shape)) {
  legendre_.lmax = shape_.lmax;
  legendre_.spin = shape_.spin;
  legendre_.components = ring_task_.components = shape_.spin == 0 ? 1 : 2;
  legendre_.maps = ring_task_.maps = shape_.maps;
  legendre_.allow_tensor_cores = shape_.maps > 1;  // batches use tensor cores, if the device has them
  add_rings();
  add_orders();
}

void CheckCase::add_rings() {
  Index pixels = 0;
  const auto add = [&](const CheckPair& pair, Index partner) {
    const auto slot = static_cast<Index>(rings_.size());
    rings_.push_back({pair.nphi, pair.phi0, pixels, 0, partner});
    lengths_.push_back(pair.nphi);
    factor_.push_back(0.5 + 0.01 * static_cast<double>(slot));
    pixels += pair.nphi;
    return slot;
  };
  for (const CheckPair& pair : shape_.pairs) {
    const bool equator = pair.theta == core::kPi / 2;
    const auto slot = static_cast<Index>(rings_.size());
    cosine_.push_back(equator ? 0.0 : std::cos(pair.theta));
    sine_.push_back(std::sin(pair.theta));
    north_.push_back(add(pair, equator ? -1 : slot + 1));
    south_.push_back(equator ? -1 : add(pair, slot));
    block_.push_back(0);
  }
  map_size_ = pixels * legendre_.width();
  legendre_.cos_theta = cosine_;
  legendre_.sin_theta = sine_;
  legendre_.pair_block = block_;
  legendre_.north_slot = north_;
  legendre_.south_slot = south_;
  ring_task_.component_stride = pixels;
  ring_task_.map_stride = pixels * legendre_.components;
}

void CheckCase::add_orders() {
  const Index lmax = shape_.lmax;
  Index coefficients = 0;
  for (Index m = 0; m <= lmax; ++m) {
    Index first = 0;
    while (static_cast<double>(lmax) * sine_[at(first)] + kOrdersBeyond < static_cast<double>(m)) ++first;
    const Index slot = north_[at(first)];
    m_.push_back(m);
    alm_offset_.push_back(coefficients - m);
    coefficients += lmax - m + 1;
    first_pair_.push_back(first);
    shift_.push_back(delta_size_ - slot * legendre_.width());
    delta_size_ += (static_cast<Index>(rings_.size()) - slot) * legendre_.width();
    for (std::size_t s = at(slot); s < rings_.size(); ++s) rings_[s].m_count = m + 1;
  }
  alm_size_ = coefficients * legendre_.width();
  legendre_.m = m_;
  legendre_.alm_offset = alm_offset_;
  legendre_.component_stride = coefficients;
  legendre_.map_stride = coefficients * legendre_.components;
  legendre_.first_pair = first_pair_;
  legendre_.block_shift = shift_;
  ring_task_.rings = rings_;
  ring_task_.m_shift = shift_;
}

template <class T>
std::vector<std::complex<T>> CheckCase::alm() const {
  std::vector<std::complex<T>> alm(at(alm_size_));
  for (Index map = 0; map < shape_.maps; ++map)
    for (Index component = 0; component < legendre_.components; ++component)
      for (const Index m : m_)
        for (Index l = std::max(m, shape_.spin); l <= shape_.lmax; ++l) {
          std::complex<T>& a = legendre_.coefficients(alm.data(), m, component, map)[l];
          const auto index = static_cast<std::size_t>(&a - alm.data());
          a = {static_cast<T>(noise(1, index)), m == 0 ? T{0} : static_cast<T>(noise(2, index))};
        }
  return alm;
}

template <class T>
std::vector<std::complex<T>> CheckCase::delta() const {
  std::vector<std::complex<T>> delta(at(delta_size_));
  for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = {static_cast<T>(noise(3, i)), static_cast<T>(noise(4, i))};
  return delta;
}

template <class T>
std::vector<T> CheckCase::map() const {
  std::vector<T> map(at(map_size_));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<T>(noise(5, i));
  return map;
}

ARMILLA_INSTANTIATE(CheckCase::alm);
ARMILLA_INSTANTIATE(CheckCase::delta);
ARMILLA_INSTANTIATE(CheckCase::map);

}  // namespace armilla::backend
