#pragma once

#include <armilla/backend/theta_chunk.hpp>
#include <armilla/backend/theta_tables.hpp>

#include <algorithm>
#include <complex>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

/// The tables on the current device. Waits until they are there.
ThetaArrays<kernels::DeviceBuffer> upload(const ThetaArrays<ThetaTables::Vector>& host, const kernels::Stream& stream);

/// A buffer of columns. FFTs go over all of it: it begins with zeros, for what no column may have written.
kernels::DeviceBuffer<std::complex<double>> column_buffer(Index columns, Index length, const kernels::Stream& stream);

/// Calls body(columns) for columns begin .. end - 1, a chunk at a time.
template <class Body>
void for_each_chunk(Index begin, Index end, Index chunk, Body&& body) {
  for (; begin < end; begin += chunk) body(kernels::ThetaColumns{begin, std::min(begin + chunk, end)});
}

}  // namespace armilla::backend
