#pragma once

#include <armilla/backend/device_use.hpp>
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
  Index piece = 0;   ///< the largest piece that cannot be divided: arrays of one m, or of one ring and its partner

  /// With `work_bytes` for each working space.
  Index work_at(Index work_bytes) const;
  Index whole(Index work_bytes) const { return tables + work_at(work_bytes) + arrays; }
  /// The least with which it works in parts.
  Index in_parts(Index work_bytes) const { return tables + work_at(work_bytes) + piece; }
};

/// Of the Legendre stage of a task; `quadrature`: with the exact quadrature in theta.
template <class T>
StageNeed legendre_need(const Options& options, const legendre::Task& task, bool quadrature);

/// Of the ring stage; `ring_lengths` as in Context::make_backend.
template <class T>
StageNeed rings_need(const fft::RingTask& task, std::span<const Index> ring_lengths);

/// Bytes of Delta and coefficients that a piece of the Legendre stage has for each of its own m (legendre_need::piece
/// is the largest), and of Delta and pixels for each ring slot.
template <class T>
std::vector<Index> order_bytes(const Options& options, const legendre::Task& task);
template <class T>
std::vector<Index> slot_bytes(const fft::RingTask& task);

/// Bytes on a device, whole or least in parts, as a function of the working space that each part of a stage gets.
using BytesOfWork = std::function<Index(Index work_bytes)>;

/// How to use `room` bytes of a device: whole where that fits, with as much working space as fits as well, from
/// `least_work` on; else in parts; nothing where these do not fit either.
std::optional<DeviceUse> choose_use(Index room, Index least_work, const BytesOfWork& whole,
                                    const BytesOfWork& in_parts);

extern template StageNeed legendre_need<float>(const Options&, const legendre::Task&, bool);
extern template StageNeed legendre_need<double>(const Options&, const legendre::Task&, bool);
extern template StageNeed rings_need<float>(const fft::RingTask&, std::span<const Index>);
extern template StageNeed rings_need<double>(const fft::RingTask&, std::span<const Index>);
extern template std::vector<Index> order_bytes<float>(const Options&, const legendre::Task&);
extern template std::vector<Index> order_bytes<double>(const Options&, const legendre::Task&);
extern template std::vector<Index> slot_bytes<float>(const fft::RingTask&);
extern template std::vector<Index> slot_bytes<double>(const fft::RingTask&);

}  // namespace armilla::backend
