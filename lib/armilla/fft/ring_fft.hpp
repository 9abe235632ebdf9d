#pragma once

#include <armilla/core/memory_estimate.hpp>
#include <armilla/fft/complex_plan.hpp>
#include <armilla/fft/split_buffer.hpp>
#include <armilla/fft/unit_table.hpp>

#include <complex>
#include <map>
#include <memory>
#include <set>

namespace armilla::fft {

/// The longest transforms that a workspace supports; zero if none is needed.
struct RingFftSizes {
  Index ring = 0;    ///< length of a ring
  Index part = 0;    ///< length of a part of a chirped length
  Index padded = 0;  ///< length of a padded part

  void include(Index length);
};

/// The chirp transform of lengths with large prime factors. The length is divided into four interleaved parts, or one
/// if 4 does not divide it. Each part is a convolution with exp(i pi j^2 / part) by FFTs of a padded length (Bluestein
/// 1970), followed by one radix-4 step. Holds the tables of the last length used.
template <class T>
class ChirpTables {
 public:
  /// For lengths up to `longest_part` per part and `longest_padded` after padding.
  ChirpTables(Index longest_part, Index longest_padded);

  /// Computes the tables for parts of this length. `a` and `b` are scratch arrays of the padded length, aligned to 64
  /// bytes.
  void set(const ComplexPlan<T>& padded, Index part, std::complex<T>* a, std::complex<T>* b);
  Split<const T> chirp() const { return chirp_.get(); }      ///< exp(-i pi j^2 / part)
  Split<const T> twiddle() const { return twiddle_.get(); }  ///< exp(-2 pi i k / (4 part))
  Split<const T> filter() const { return filter_.get(); }    ///< transform of the conjugate chirp / padded length

 private:
  Index part_ = 0;
  UnitTable units_;
  SplitBuffer<T> chirp_;
  SplitBuffer<T> twiddle_;
  SplitBuffer<T> filter_;
};

/// Scratch arrays of ring FFTs; one object per thread.
template <class T>
struct RingFftWorkspace {
  explicit RingFftWorkspace(const RingFftSizes& sizes);
  static core::MemoryEstimate memory(const RingFftSizes& sizes);

  core::AlignedBuffer<std::complex<T>> pixels;  ///< pixels of a pair of rings
  ChirpTables<T> chirps;
  Index part_stride;                           ///< distance between the parts of `parts`
  core::AlignedBuffer<std::complex<T>> parts;  ///< parts of a chirped length, padded
  core::AlignedBuffer<std::complex<T>> part;   ///< one transformed part
};

/// Method for transforming one ring length with FFTW's complex plans: directly if its prime factors are small or it is
/// short, otherwise by chirps. The choice depends only on the length.
template <class T>
struct RingFft {
  enum class Method { kDirect, kChirp };

  static Method method(Index length);
  /// Number of interleaved parts, and padded length of a part, for chirped lengths.
  static Index chirp_parts(Index length) { return length % 4 == 0 ? 4 : 1; }
  static Index padded_length(Index part);
  /// The length that FFTW transforms: the length itself, or the padded one.
  static Index planned_length(Index length);

  /// out_k = sum over j of in_j exp(-2 pi i j k / length). `in` and `out` are different arrays, aligned to 64 bytes,
  /// and distinct from workspace.parts and workspace.part; `in` is preserved.
  void forward(const std::complex<T>* in, std::complex<T>* out, RingFftWorkspace<T>& workspace) const;
  /// Variants that read from, or write to, two arrays of any alignment, through workspace.pixels. `streamed`: see
  /// deinterleave.
  void from_rows(Split<const T> in, std::complex<T>* out, RingFftWorkspace<T>& workspace) const;
  void to_rows(const std::complex<T>* in, Split<T> out, RingFftWorkspace<T>& workspace, bool streamed) const;

  Index length;
  const ComplexPlan<T>* plan;  ///< plan for planned_length
};

/// The lengths that FFTW transforms for rings of these lengths. Throws ResourceError for lengths beyond the range of
/// FFTW.
std::set<Index> planned_lengths(const std::set<Index>& rings);

/// Transforms of ring lengths; chirped lengths share a few padded lengths. Filling it is not thread-safe; using it is.
template <class T>
class PlanCache {
 public:
  /// Creates plans for a new length. Throws like planned_lengths().
  void prepare(Index length);
  const RingFft<T>& at(Index length) const { return rings_.at(length); }
  /// The sizes that a workspace must support for the lengths prepared so far.
  const RingFftSizes& sizes() const { return sizes_; }
  /// Memory with the plans of all these lengths.
  static core::MemoryEstimate memory(const std::set<Index>& lengths);

 private:
  std::map<Index, std::unique_ptr<ComplexPlan<T>>> plans_;
  std::map<Index, RingFft<T>> rings_;
  RingFftSizes sizes_;
};

}  // namespace armilla::fft
