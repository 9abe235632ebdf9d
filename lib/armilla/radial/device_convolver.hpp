#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/radial/device_bands.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armilla::radial {

/// Performs the work of Convolver on the device of a context, in bands of rings that fit in device memory. If a single
/// rank has a single band, fields may already be on the device. Otherwise they are copied to the device and back band
/// by band, and a field may exceed the device memory. Output pixels are bitwise identical for any number of ranks,
/// bands, fields and targets. Holds a reference to the communicator.
template <class T>
class DeviceConvolver {
 public:
  /// For up to `fields` fields at once; identical arguments on all ranks. All specs have a device_table. A band, the
  /// FFTs of the input and the FFTs of each result each use at most `work_bytes`, or their minimum if that is larger.
  DeviceConvolver(const comm::Communicator& comm, std::shared_ptr<backend::Context<T>> context,
                  std::shared_ptr<const dist::PixelDistribution> in, std::vector<ConvolutionTarget> targets,
                  Index fields, Index work_bytes);

  /// Device memory on `rank`, without fields, and host memory.
  static BandMemory device_memory(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets,
                                  int rank, Index fields);
  static core::MemoryEstimate host_memory(const dist::PixelDistribution& in,
                                          const std::vector<ConvolutionTarget>& targets, int rank, Index fields);

  /// Whether at_once() can be used; the same on all ranks.
  bool is_at_once() const { return comm_.size() == 1 && bands_.size() == 1; }
  /// Input and output are in the memory of the context, [field][local pixel], with one result for each target.
  /// `weights` holds the weight of a pixel of each ring of the input's grid, identical in all calls.
  void at_once(const T* in, std::span<T* const> out, Index fields, std::span<const double> weights);
  /// Collective; requires is_at_once() == false. Equivalent to Convolver::operator(), with input and output on the
  /// host.
  void operator()(std::span<const std::span<const T>> fields, std::span<const double> weights,
                  const std::vector<std::vector<std::span<T>>>& out);

 private:
  /// The tables and weights that are loaded into the engine.
  struct Loaded {
    std::size_t band;
    Index fields;
    bool compact;
    friend bool operator==(const Loaded&, const Loaded&) = default;
  };
  /// Copies host pixels through an array of pinned memory.
  class Stage;

  /// `compact`: pixel arrays contain only the rings of the band.
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
  std::vector<std::optional<backend::RadialTables>> tables_;  // [band] if there are several; for one number of fields
  RingHalo<T> halo_;
  std::shared_ptr<void> pinned_, in_pixels_;
  std::vector<std::shared_ptr<void>> out_pixels_;  // [target]
};

}  // namespace armilla::radial
