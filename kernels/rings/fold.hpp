#pragma once

#include <algorithm>

#include <kernels/core/stream.hpp>
#include <kernels/rings/ring_chunk.hpp>

namespace armilla::kernels {

/// Values j of a part per block of `unfold`.
inline constexpr int kUnfoldTile = 32;

/// Arguments of the kernels between Delta [m_shift[m] + slot * width + w] and the spectra of a chunk of rings.
template <template <class> class Pointer, class T, class Delta>
struct FoldTaskOf {
  RingChunkOf<Pointer, T> chunk;
  RingLayoutOf<Pointer> layout;
  PhaseTablesOf<Pointer, T> phases;
  Pointer<Delta> delta;          ///< complex
  Pointer<const double> factor;  ///< [slot], null for 1; used by `unfold` only

  /// Values of k per block of `fold`.
  static constexpr int kTile = 64;

  HOST_DEVICE GridSize fold_grid() const { return grid_of(chunk, chunk.max_nphi / 2 + 1, kTile); }
  GridSize unfold_grid() const {
    return grid_of(chunk, std::min(chunk.max_nphi / chunk.parts / 2 + 1, chunk.max_m), kUnfoldTile);
  }
};
template <class T, class Delta>
using FoldTask = FoldTaskOf<KernelPointer, T, Delta>;
template <class T, class Delta>
using DeviceFoldTask = FoldTaskOf<DevicePointer, T, Delta>;

/// Spectra of the chunk: X_k = sum over m of A + i B for m = k mod n, and of conj(A) + i conj(B) for m = -k mod n, in
/// ascending order of m. A and B are Delta_m exp(i m phi0) of a unit's rings; m = 0 enters once, without its imaginary
/// part. Real and imaginary part are exchanged, so that the forward transform acts as the inverse.
void fold(const DeviceFoldTask<float, const float>& task, StreamHandle stream);
void fold(const DeviceFoldTask<double, const double>& task, StreamHandle stream);

/// The transpose: Delta_m = factor * exp(-i m phi0) F_m of each ring, from the spectra X of the pixels of both rings as
/// real and imaginary parts, F_m = (X_m + conj(X_-m)) / 2, or (X_m - conj(X_-m)) / 2i for the second ring. For chirped
/// lines the last step is done here: chirp, twiddles and the butterfly of the four parts.
void unfold(const DeviceFoldTask<float, float>& task, StreamHandle stream);
void unfold(const DeviceFoldTask<double, double>& task, StreamHandle stream);

}  // namespace armilla::kernels
