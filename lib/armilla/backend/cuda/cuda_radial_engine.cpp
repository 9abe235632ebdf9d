#include <armilla/backend/cuda/cuda_radial_engine.hpp>
#include <armilla/core/instantiate.hpp>

#include <type_traits>
#include <utility>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/device.hpp>

namespace armilla::backend {

template <class T>
void CudaRadialEngine<T>::load(const RadialTables& tables) {
  kernels::set_device(stream_.device());
  stage_.reset();
  in_ = {};
  out_.clear();
  if constexpr (std::is_same_v<T, float>) {
    in_ = kernels::DeviceBuffer<double>(tables.fields * tables.in_pixels);
    for (const RadialTables::Target& target : tables.targets) out_.emplace_back(tables.fields * target.pixels);
  }
  stage_.emplace(tables, work_bytes_, stream_);
}

template <class T>
void CudaRadialEngine<T>::operator()(const T* in, std::span<T* const> out) {
  kernels::set_device(stream_.device());
  std::vector<DevicePointer<double>> results;
  if constexpr (std::is_same_v<T, double>) {
    for (double* result : out) results.push_back(DevicePointer(result));
    (*stage_)(DevicePointer(in), results, stream_);
  } else {
    using Convert = kernels::Arithmetic<T>;
    Convert::widen(in_.data(), DevicePointer(in), in_.size(), stream_.get());
    for (auto& result : out_) results.push_back(result.data());
    (*stage_)(std::as_const(in_).data(), results, stream_);
    for (std::size_t t = 0; t < out.size(); ++t)
      Convert::narrow(DevicePointer(out[t]), std::as_const(out_[t]).data(), out_[t].size(), stream_.get());
  }
  stream_.wait();
}

ARMILLA_INSTANTIATE_CLASS(CudaRadialEngine);

}  // namespace armilla::backend
