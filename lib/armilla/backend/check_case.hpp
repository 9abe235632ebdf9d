#pragma once

#include <armilla/backend/context.hpp>

#include <complex>
#include <string>
#include <vector>

namespace armilla::backend {

/// A pair of rings of a CheckCase.
struct CheckPair {
  double theta;  ///< [rad] of the northern ring; pi / 2: the equator, one ring
  double phi0;   ///< [rad]
  Index nphi;
};

/// Rings as those of HEALPix: in the polar caps of 4, 8, 12 .. pixels, then of 4 nside; first pixels half a pixel from
/// phi = 0, or on it.
std::vector<CheckPair> healpix_pairs(Index nside);

/// `rings` rings of `nphi` pixels near the nodes of Gauss.
std::vector<CheckPair> gauss_pairs(Index rings, Index nphi);

/// `rings` rings of `nphi` pixels at equal distances, both poles among them; their number is odd.
std::vector<CheckPair> equidistant_pairs(Index rings, Index nphi);

/// A small transform of one rank with its input: pairs of rings from the pole to the equator, all m up to
/// lmax, fewer near the poles. Coefficients are [map][component][m][l], Delta is [m][pair][component][map], maps are
/// [map][component][ring][pixel].
class CheckCase {
 public:
  struct Shape {
    std::string name;  ///< for messages
    std::vector<CheckPair> pairs;
    Index lmax;
    Index spin;
    Index maps;
    ThetaResampling resampling;
    math::MeridianCircle circle = {};  ///< that the rings lie on, for exact quadrature
  };

  explicit CheckCase(Shape shape);
  CheckCase(const CheckCase&) = delete;
  CheckCase& operator=(const CheckCase&) = delete;

  const Shape& shape() const { return shape_; }
  const legendre::Task& legendre_task() const { return legendre_; }
  const fft::RingTask& ring_task() const { return ring_task_; }
  const std::vector<Index>& ring_lengths() const { return lengths_; }
  const std::vector<double>& factor() const { return factor_; }  ///< [ring]

  /// Noise of rms 1 or so, the same each time.
  template <class T>
  std::vector<std::complex<T>> alm() const;
  template <class T>
  std::vector<std::complex<T>> delta() const;
  template <class T>
  std::vector<T> map() const;

 private:
  void add_rings();
  void add_orders();

  Shape shape_;
  legendre::Task legendre_;
  fft::RingTask ring_task_;
  Index alm_size_ = 0, delta_size_ = 0, map_size_ = 0;
  std::vector<Index> m_, alm_offset_, first_pair_, shift_, north_, south_, lengths_;
  std::vector<int> block_;
  std::vector<double> cosine_, sine_, factor_;
  std::vector<fft::RingShape> rings_;  ///< [slot]
};

}  // namespace armilla::backend
