#pragma once

#include <armilla/backend/theta_tables.hpp>

#include <algorithm>
#include <complex>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

/// The tables on the current device. Waits until they are there.
ThetaArrays<kernels::DeviceBuffer> upload(const ThetaArrays<ThetaTables::Vector>& host, const kernels::Stream& stream);

/// Columns that go through the steps of resampling at once: as many as make 32 MiB of `length` numbers each, which stay
/// in the cache of a large device from step to step, or less where `work_bytes` do not hold them. Throws ResourceError
/// where they do not hold one.
Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes);

/// A buffer of columns. FFTs go over all of it: it begins with zeros, for what no column may have written.
kernels::DeviceBuffer<std::complex<double>> column_buffer(Index columns, Index length, const kernels::Stream& stream);

/// Calls body(columns) for all columns, a chunk at a time.
template <class Body>
void for_each_chunk(Index columns, Index chunk, Body&& body) {
  for (Index begin = 0; begin < columns; begin += chunk)
    body(kernels::ThetaColumns{begin, std::min(begin + chunk, columns)});
}

}  // namespace armilla::backend
