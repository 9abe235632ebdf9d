#include <armilla/backend/cuda/device_memory.hpp>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/row_sums.hpp>

namespace armilla::backend {

namespace {

void* address_of(char* host) { return host; }
void* address_of(DevicePointer<char> there) { return there.address(); }

template <class Buffer>
std::shared_ptr<void> numbers_of(Index bytes) {
  const auto buffer = std::make_shared<Buffer>(bytes);
  return {buffer, address_of(buffer->data())};
}

}  // namespace

std::shared_ptr<void> CudaMemory::allocate(Index bytes) {
  kernels::set_device(device_);
  return numbers_of<kernels::DeviceBuffer<char>>(bytes);
}
std::shared_ptr<void> CudaMemory::allocate_host(Index bytes) {
  kernels::set_device(device_);
  return numbers_of<kernels::PinnedBuffer<char>>(bytes);
}

void CudaMemory::to_host(void* host, const void* there, Index bytes) {
  kernels::copy(static_cast<char*>(host), DevicePointer(static_cast<const char*>(there)), bytes, here());
  stream_.wait();
}

void CudaMemory::from_host(void* there, const void* host, Index bytes) {
  kernels::copy(DevicePointer(static_cast<char*>(there)), static_cast<const char*>(host), bytes, here());
  stream_.wait();
}

void CudaMemory::combine(double a, const double* x, double b, double* y, Index count) {
  kernels::combine(a, DevicePointer(x), b, DevicePointer(y), count, here().get());
  stream_.wait();
}

void CudaMemory::combine(float a, const float* x, float b, float* y, Index count) {
  kernels::combine(a, DevicePointer(x), b, DevicePointer(y), count, here().get());
  stream_.wait();
}

void CudaMemory::multiply(const double* x, double* y, Index count) {
  kernels::multiply(DevicePointer(x), DevicePointer(y), count, here().get());
  stream_.wait();
}

void CudaMemory::multiply(const float* x, float* y, Index count) {
  kernels::multiply(DevicePointer(x), DevicePointer(y), count, here().get());
  stream_.wait();
}

void CudaMemory::mask(const double* x, double* y, Index count) {
  kernels::mask(DevicePointer(x), DevicePointer(y), count, here().get());
  stream_.wait();
}

void CudaMemory::mask(const float* x, float* y, Index count) {
  kernels::mask(DevicePointer(x), DevicePointer(y), count, here().get());
  stream_.wait();
}

template <class T>
void CudaMemory::multiply_rows(const DegreeRows& rows, std::span<const double> factors, std::complex<T>* alm) {
  const auto m = kernels::upload<Index>(rows.m, here());
  const auto offset = kernels::upload<Index>(rows.offset, here());
  const auto there = kernels::upload<double>(factors, here());
  kernels::multiply_rows({m.data(), offset.data(), m.size(), rows.degrees, rows.fields, rows.field_stride},
                         there.data(), real(DevicePointer(alm)), here().get());
  stream_.wait();
}

void CudaMemory::multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<double>* alm) {
  multiply_rows(rows, factors, alm);
}

void CudaMemory::multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<float>* alm) {
  multiply_rows(rows, factors, alm);
}

template <class T>
void CudaMemory::sum_rows(const NumberRows& rows, const NumberWeights<T>& w, const T* x, const T* y,
                          std::span<double> sums) {
  const auto begin = kernels::upload<Index>(rows.begin, here());
  const auto length = kernels::upload<Index>(rows.length, here());
  const auto weight_begin = kernels::upload<Index>(w.begin, here());
  kernels::DeviceBuffer<double> there(static_cast<Index>(sums.size()));
  kernels::sum_rows({DevicePointer(x), DevicePointer(y), DevicePointer(w.weight), weight_begin.data(), begin.data(),
                     length.data(), begin.size(), rows.fields, rows.field_stride, there.data()},
                    here().get());
  kernels::copy(sums.data(), there.data(), there.size(), stream_);
  stream_.wait();
}

void CudaMemory::sum_products(const NumberRows& rows, const NumberWeights<double>& w, const double* x, const double* y,
                              std::span<double> sums) {
  sum_rows(rows, w, x, y, sums);
}

void CudaMemory::sum_products(const NumberRows& rows, const NumberWeights<float>& w, const float* x, const float* y,
                              std::span<double> sums) {
  sum_rows(rows, w, x, y, sums);
}

template <class T>
void CudaMemory::multiply_pixels(const OrbitRows& rows, const double* x, const T* from, T* to) {
  const auto ring_begin = kernels::upload<Index>(rows.ring_begin, here());
  const auto quarter = kernels::upload<Index>(rows.quarter, here());
  const auto shifted = kernels::upload<Index>(rows.shifted, here());
  const auto first = kernels::upload<Index>(rows.first, here());
  const Index period = rows.ring_begin.back();
  kernels::multiply_orbits({{ring_begin.data(), quarter.size()}, quarter.data(), shifted.data(), first.data()},
                           DevicePointer(x), period, DevicePointer(from), DevicePointer(to), rows.fields * period,
                           here().get());
  stream_.wait();
}

void CudaMemory::multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) {
  multiply_pixels(rows, x, from, to);
}

void CudaMemory::multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) {
  multiply_pixels(rows, x, from, to);
}

}  // namespace armilla::backend
