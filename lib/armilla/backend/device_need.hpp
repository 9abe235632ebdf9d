#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace armilla::backend {

/// Working space that takes what it is given, from `least` on and up to `most` bytes.
struct WorkSpace {
  Index least = 0;
  Index most = 0;
  Index bytes(Index given) const { return std::clamp(given, least, std::max(least, most)); }
};

/// What one stage of one part of a field takes on a device, in bytes: upper bounds by counting, on any machine. FFTs
/// are taken to need as much working space as what they transform. What CUDA itself takes is not among it.
struct StageNeed {
  Index tables = 0;
  std::vector<WorkSpace> work;
  Index arrays = 0;  ///< copies of Delta or coefficients that the stage makes, of all own m

  /// With `work_bytes` for each working space.
  Index work_at(Index work_bytes) const;
};

/// Of the Legendre stage of a task; `quadrature`: with the exact quadrature in theta.
template <class T>
StageNeed legendre_need(const Options& options, const legendre::Task& task, bool quadrature);

/// Of the ring stage; `ring_lengths` as in Context::make_backend.
template <class T>
StageNeed rings_need(const fft::RingTask& task, std::span<const Index> ring_lengths);

/// The working space that each part of a stage gets where a rank may take `room` bytes of its device: as much as fits
/// from `min_work` on; nothing where not even that fits. `total`: all bytes on the device with such working space.
std::optional<Index> choose_work(Index room, Index min_work, const std::function<Index(Index work_bytes)>& total);

extern template StageNeed legendre_need<float>(const Options&, const legendre::Task&, bool);
extern template StageNeed legendre_need<double>(const Options&, const legendre::Task&, bool);
extern template StageNeed rings_need<float>(const fft::RingTask&, std::span<const Index>);
extern template StageNeed rings_need<double>(const fft::RingTask&, std::span<const Index>);

}  // namespace armilla::backend
