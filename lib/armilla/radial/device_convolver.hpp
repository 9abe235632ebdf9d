#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/radial/device_bands.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armilla::radial {

/// What Convolver does, on the device of a context, in bands of rings that fit into it. One rank whose rings make one
/// band takes fields that stand on the device; else they go there and back band by band, and a field may be larger than
/// the memory of the device. Output pixels are bitwise identical for any number of ranks, bands, fields and targets.
/// Holds a reference to the communicator.
template <class T>
class DeviceConvolver {
 public:
  /// For up to `fields` fields at once. All specs have a device_table. A band, the FFTs of the input and those of each
  /// result take at most `work_bytes` each, or the least with which they work. The same on all ranks.
  DeviceConvolver(const comm::Communicator& comm, std::shared_ptr<backend::Context<T>> context,
                  std::shared_ptr<const dist::PixelDistribution> in, std::vector<ConvolutionTarget> targets,
                  Index fields, Index work_bytes);

  /// On `rank`, of the device besides fields, and of the host.
  static BandMemory device_memory(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets,
                                  int rank, Index fields);
  static core::MemoryEstimate host_memory(const dist::PixelDistribution& in,
                                          const std::vector<ConvolutionTarget>& targets, int rank, Index fields);

  /// Whether at_once() does it; the same on all ranks.
  bool is_at_once() const { return comm_.size() == 1 && bands_.size() == 1; }
  /// From and to the memory of the context, [field][own pixel], one result for each target; `weights` has that of a
  /// pixel of each ring of the input's grid, the same in all calls.
  void at_once(const T* in, std::span<T* const> out, Index fields, std::span<const double> weights);
  /// Collective, where is_at_once() is false. As Convolver's, from and to the host.
  void operator()(std::span<const std::span<const T>> fields, std::span<const double> weights,
                  const std::vector<std::vector<std::span<T>>>& out);

 private:
  /// What the engine has been given.
  struct Loaded {
    std::size_t band;
    Index fields;
    bool compact;
    friend bool operator==(const Loaded&, const Loaded&) = default;
  };
  /// Pixels of a host that go through one array of pinned memory.
  class Stage;

  /// `compact`: of the rings of the band alone.
  void load(std::size_t band, Index fields, bool compact, std::span<const double> weights);
  void work_on(std::size_t band, Index fields, std::span<const double> weights,
               const std::vector<std::vector<std::span<T>>>& out);

  const comm::Communicator& comm_;
  std::shared_ptr<backend::Context<T>> context_;
  std::shared_ptr<const dist::PixelDistribution> in_;
  std::vector<ConvolutionTarget> targets_;
  std::vector<DeviceBand> bands_;
  std::unique_ptr<backend::RadialEngine<T>> engine_;
  std::optional<Loaded> loaded_;
  std::vector<std::optional<backend::RadialTables>> tables_;  // [band] of several, for one number of fields
  RingHalo<T> halo_;
  std::shared_ptr<void> pinned_, in_pixels_;
  std::vector<std::shared_ptr<void>> out_pixels_;  // [target]
};

}  // namespace armilla::radial
