#pragma once

#include <armilla/backend/context.hpp>

#include <complex>
#include <string>
#include <vector>

namespace armilla::backend {

/// A pair of rings of a CheckCase.
struct CheckPair {
  double theta;  ///< [rad] of the northern ring; pi / 2: the equator, a single ring
  double phi0;   ///< [rad]
  Index nphi;
};

/// HEALPix-like rings: 4, 8, 12 .. pixels in the polar caps, then 4 nside. First pixels are at phi = 0 or half a pixel
/// from it.
std::vector<CheckPair> healpix_pairs(Index nside);

/// `rings` rings of `nphi` pixels near Gauss-Legendre nodes.
std::vector<CheckPair> gauss_pairs(Index rings, Index nphi);

/// `rings` equidistant rings of `nphi` pixels, including both poles; the number of rings is odd.
std::vector<CheckPair> equidistant_pairs(Index rings, Index nphi);

/// A small transform of one rank with its input. It has pairs of rings from the pole to the equator and all m up to
/// lmax, fewer near the poles. Coefficients are [map][component][m][l], Delta is [m][pair][component][map], and maps
/// are [map][component][ring][pixel].
class CheckCase {
 public:
  struct Shape {
    std::string name;  ///< for messages
    std::vector<CheckPair> pairs;
    Index lmax;
    Index spin;
    Index maps;
    ThetaResampling resampling;
    math::MeridianCircle circle = {};  ///< that contains the rings, for exact quadrature
    int calls = 1;                     ///< of each stage, except those of exact quadrature, with the same input
  };

  explicit CheckCase(Shape shape);
  CheckCase(const CheckCase&) = delete;
  CheckCase& operator=(const CheckCase&) = delete;

  const Shape& shape() const { return shape_; }
  const legendre::Task& legendre_task() const { return legendre_; }
  const fft::RingTask& ring_task() const { return ring_task_; }
  const std::vector<Index>& ring_lengths() const { return lengths_; }
  const std::vector<double>& factor() const { return factor_; }  ///< [ring]

  /// Noise with an rms of about 1, identical in each call.
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
