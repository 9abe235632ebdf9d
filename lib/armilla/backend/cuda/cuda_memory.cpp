#include <armilla/backend/cuda/cuda_memory.hpp>
#include <armilla/backend/cuda/cuda_peer_access.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/lensing/lensing.hpp>

namespace armilla::backend {

namespace {

using kernels::Stream;
using kernels::upload;

template <class T>
class CudaArrayOps final : public ArrayOps<T> {
 public:
  using Kernels = kernels::Arithmetic<T>;

  explicit CudaArrayOps(const Stream& stream) : stream_(stream) {}

  void combine(T a, const T* x, T b, T* y, Index count) const override {
    run([&] { Kernels::combine(a, DevicePointer(x), b, DevicePointer(y), count, stream_.get()); });
  }
  void multiply(const T* x, T* y, Index count) const override {
    run([&] { Kernels::multiply(DevicePointer(x), DevicePointer(y), count, stream_.get()); });
  }
  void mask(const T* x, T* y, Index count) const override {
    run([&] { Kernels::mask(DevicePointer(x), DevicePointer(y), count, stream_.get()); });
  }
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<T>* alm) const override {
    kernels::set_device(stream_.device());
    const auto m = upload<Index>(rows.m, stream_);
    const auto offset = upload<Index>(rows.offset, stream_);
    const auto there = upload<double>(factors, stream_);
    Kernels::multiply_rows({m.data(), offset.data(), m.size(), rows.degrees, rows.fields, rows.field_stride},
                           there.data(), real(DevicePointer(alm)), stream_.get());
    stream_.wait();
  }
  void multiply_orders(const DegreeRows& rows, std::span<const T> factors, const std::complex<T>* from,
                       std::complex<T>* to) const override {
    kernels::set_device(stream_.device());
    const auto m = upload<Index>(rows.m, stream_);
    const auto offset = upload<Index>(rows.offset, stream_);
    const auto there = upload<T>(factors, stream_);
    Kernels::multiply_orders({m.data(), offset.data(), m.size(), rows.degrees, rows.fields, rows.field_stride},
                             there.data(), real(DevicePointer(from)), real(DevicePointer(to)), stream_.get());
    stream_.wait();
  }
  void sum_products(const NumberRows& rows, const NumberWeights<T>& w, const T* x, const T* y,
                    std::span<double> sums) const override {
    kernels::set_device(stream_.device());
    const auto begin = upload<Index>(rows.begin, stream_);
    const auto length = upload<Index>(rows.length, stream_);
    const auto weight_begin = upload<Index>(w.begin, stream_);
    kernels::DeviceBuffer<double> there(static_cast<Index>(sums.size()));
    Kernels::sum_rows({DevicePointer(x), DevicePointer(y), DevicePointer(w.weight), weight_begin.data(), begin.data(),
                       length.data(), begin.size(), rows.fields, rows.field_stride, there.data()},
                      stream_.get());
    kernels::copy(sums.data(), there.data(), there.size(), stream_);
    stream_.wait();
  }
  void multiply_orbits(const OrbitRings& rings, const double* x, const T* from, T* to) const override {
    kernels::set_device(stream_.device());
    const auto begin = upload<Index>(rings.begin, stream_);
    const auto quarter = upload<Index>(rings.quarter, stream_);
    const auto shifted = upload<Index>(rings.shifted, stream_);
    const auto first = upload<Index>(rings.first, stream_);
    const Index period = rings.begin.back();
    Kernels::multiply_orbits({{begin.data(), quarter.size()}, quarter.data(), shifted.data(), first.data()},
                             DevicePointer(x), period, DevicePointer(from), DevicePointer(to), rings.fields * period,
                             stream_.get());
    stream_.wait();
  }
  void displace(const MapRings& rings, const T* south, const T* east, double* theta, double* phi,
                double* gamma) const override {
    kernels::set_device(stream_.device());
    const auto begin = upload<Index>(rings.begin, stream_);
    const auto there = upload<kernels::MapRing>(std::span(rings.rings, rings.count()), stream_);
    kernels::displace_pixels<T>({.rings = {{begin.data(), there.size()}, there.data()},
                                 .south = DevicePointer(south),
                                 .east = DevicePointer(east),
                                 .count = rings.pixels(),
                                 .theta = DevicePointer(theta),
                                 .phi = DevicePointer(phi),
                                 .gamma = DevicePointer(gamma)},
                                stream_.get());
    stream_.wait();
  }
  void turn(Index spin, const double* gamma, T* first, T* second, Index count) const override {
    run([&] {
      kernels::turn_tensors<T>(
          {static_cast<double>(spin), DevicePointer(gamma), count, DevicePointer(first), DevicePointer(second)},
          stream_.get());
    });
  }
  kernels::DeflectionFaults find_faults(const T* south, const T* east, const T* determinant,
                                        Index count) const override {
    kernels::set_device(stream_.device());
    using Search = kernels::DeviceFaultSearch<T>;
    std::vector<kernels::DeflectionFaults> found(static_cast<std::size_t>(std::min(count, Search::kMostBlocks)));
    kernels::DeviceBuffer<kernels::DeflectionFaults> there(static_cast<Index>(found.size()));
    kernels::find_faults<T>(Search{DevicePointer(south), DevicePointer(east), DevicePointer(determinant), count,
                                   there.size(), there.data()},
                            stream_.get());
    kernels::copy(found.data(), there.data(), there.size(), stream_);
    stream_.wait();
    kernels::DeflectionFaults all = kernels::DeflectionFaults::none();
    for (const kernels::DeflectionFaults& some : found) all.add(some);
    return all;
  }
  void scale(const double* factors, const T* from, T* to, Index count) const override {
    run([&] {
      kernels::scale_pixels<T>({DevicePointer(factors), DevicePointer(from), DevicePointer(to), count}, stream_.get());
    });
  }

 private:
  // Launches one kernel. The calling thread may have another current device.
  template <class Launch>
  void run(const Launch& launch) const {
    kernels::set_device(stream_.device());
    launch();
    stream_.wait();
  }

  const Stream& stream_;
};

class CudaMemory final : public Memory {
 public:
  explicit CudaMemory(std::shared_ptr<const Stream> stream) : stream_(std::move(stream)) {}

  core::MemorySpace space() const override { return core::MemorySpace::kDevice; }
  int device() const override { return stream_->device(); }
  int device_of(const void* address) const override {
    kernels::set_device(device());
    return kernels::device_of(address);
  }
  std::shared_ptr<void> allocate(Index bytes) override {
    release_closed_arrays();
    kernels::set_device(device());
    const auto buffer = std::make_shared<kernels::DeviceBuffer<char>>(bytes);
    return {buffer, buffer->data().address()};
  }
  std::shared_ptr<void> allocate_host(Index bytes) override {
    kernels::set_device(device());
    const auto buffer = std::make_shared<kernels::PinnedBuffer<char>>(bytes);
    return {buffer, buffer->data()};
  }
  void to_host(void* host, const void* there, Index bytes) override {
    kernels::copy(static_cast<char*>(host), DevicePointer(static_cast<const char*>(there)), bytes, *stream_);
    stream_->wait();
  }
  void from_host(void* there, const void* host, Index bytes) override {
    kernels::copy(DevicePointer(static_cast<char*>(there)), static_cast<const char*>(host), bytes, *stream_);
    stream_->wait();
  }
  std::unique_ptr<PeerAccess> make_peer_access() override {
    kernels::set_device(device());
    return make_cuda_peer_access();
  }

 private:
  AllOps all_ops() const override { return {&single_ops_, &double_ops_}; }

  std::shared_ptr<const Stream> stream_;
  CudaArrayOps<float> single_ops_{*stream_};
  CudaArrayOps<double> double_ops_{*stream_};
};

}  // namespace

std::shared_ptr<Memory> make_cuda_memory(std::shared_ptr<const Stream> stream) {
  return std::make_shared<CudaMemory>(std::move(stream));
}

}  // namespace armilla::backend
