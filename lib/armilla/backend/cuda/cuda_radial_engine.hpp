#pragma once

#include <armilla/backend/cuda/radial_stage.hpp>
#include <armilla/backend/radial_engine.hpp>

#include <optional>
#include <vector>

namespace armilla::backend {

/// A RadialStage. Fields in single precision are copied to double precision and back.
template <class T>
class CudaRadialEngine final : public RadialEngine<T> {
 public:
  /// See RadialStage.
  CudaRadialEngine(Index work_bytes, const kernels::Stream& stream) : work_bytes_(work_bytes), stream_(stream) {}

  void load(const RadialTables& tables) override;
  void operator()(const T* in, std::span<T* const> out) override;

 private:
  Index work_bytes_;
  const kernels::Stream& stream_;
  std::optional<RadialStage> stage_;
  kernels::DeviceBuffer<double> in_;                ///< copies of fields in single precision
  std::vector<kernels::DeviceBuffer<double>> out_;  ///< copies of results in single precision, [target]
};

}  // namespace armilla::backend
