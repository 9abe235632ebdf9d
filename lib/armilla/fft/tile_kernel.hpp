#pragma once

#include <armilla/core/types.hpp>

#include <complex>

namespace armilla::fft {

using core::Index;

/// A rectangle of Delta, `columns` adjacent values for each of `count` values of m, and its transpose in rows of m.
template <class T>
struct TileBlock {
  const Index* m_shift;  ///< Delta is at [m_shift[i] + column]
  Index count;
  Index columns;
  Index fetched;          ///< number of m in m_shift, all accessed soon; at least `count`
  std::complex<T>* rows;  ///< [column * stride + i], aligned to 64 bytes
  Index stride;           ///< a multiple of 64 bytes
  bool streamed;          ///< whole lines of Delta are written with non-temporal stores
};

/// Copies Delta to rows.
void read_block(const TileBlock<float>& block, const std::complex<float>* delta);
void read_block(const TileBlock<double>& block, const std::complex<double>* delta);
/// Copies rows to Delta.
void write_block(const TileBlock<float>& block, std::complex<float>* delta);
void write_block(const TileBlock<double>& block, std::complex<double>* delta);

}  // namespace armilla::fft
