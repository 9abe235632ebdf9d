#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/transform/delta_exchange.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace armilla::transform {

/// The half of the transforms of a field without pixels: coefficients <-> Delta_m(ring), by the Legendre stage and the
/// exchange between ranks. Used by FieldTransform, and by iterations between coefficients and rings. Holds a reference
/// to the communicator.
template <class T>
class DeltaTransform {
 public:
  using Complex = std::complex<T>;
  using Buffer = backend::DeltaBuffer<T>;
  using Stages = backend::FieldStages<T>;

  /// Weights of rings in the Legendre stage: none, or the exact quadrature in theta of a grid that supports it
  /// (FieldTransformSpec::theta_quadrature).
  enum class Rule { kPlain, kQuadrature };

  /// Processes Delta of a spin field, on the rings of this rank, in the memory of the backend. A single rank has one
  /// buffer for all spin fields, so it may hold data of another spin field from the previous call.
  using Use = std::function<void(std::size_t spin_field, Complex* delta)>;
  /// Like Use, but returns the address of Delta of the spin field: in `buffer`, or elsewhere on a single rank.
  using Make = std::function<const Complex*(std::size_t spin_field, Complex* buffer)>;

  /// See FieldTransform.
  DeltaTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor);
  DeltaTransform(const DeltaTransform&) = delete;
  DeltaTransform& operator=(const DeltaTransform&) = delete;

  const comm::Communicator& comm() const { return comm_; }
  /// The spec, with the selected backend and workspace.
  const FieldTransformSpec& spec() const { return spec_; }
  backend::Kind backend() const { return spec_.backend; }
  /// Whether it computes on a device.
  bool on_device() const { return spec_.device_work.has_value(); }
  std::shared_ptr<backend::Memory> memory() const { return context_->memory(); }
  /// Whether this rank owns all rings and m.
  bool alone() const { return comm_.size() == 1; }
  /// The spin fields with their tables.
  std::span<const std::unique_ptr<SpinTables>> spin_fields() const { return spin_fields_; }
  Stages& stages(std::size_t spin_field) const { return *stages_[spin_field]; }
  void set_monitor(Monitor monitor) { monitor_ = std::move(monitor); }
  /// Calls the monitor between the iterations of a solver. Collective.
  void between_iterations() const {
    if (monitor_.between_iterations) monitor_.between_iterations();
  }

  /// Collective. Delta of alm on the rings; use() runs for each spin field, in the phase "rings".
  void synthesis(const AlmField<T>& alm, const Use& use, Rule rule = Rule::kPlain);
  /// Collective. alm from Delta on the rings; make() runs for each spin field, in the phase "rings". `standing`: for
  /// several ranks, Delta of all spin fields at its current address, in the layout of the exchange; null for the
  /// buffer. Overwrites alm.
  void adjoint(const Make& make, AlmField<T>& alm, Rule rule = Rule::kPlain, const Buffer* standing = nullptr);
  /// Collective. Synthesis and adjoint, with change() between them: Delta of alm, changed in place, is transformed to
  /// result, which is overwritten.
  void normal(const AlmField<T>& alm, const Use& change, AlmField<T>& result);

  /// For a single rank: Delta of the largest spin field as scratch; the next call overwrites it.
  Complex* workspace() const { return m_side_.data(); }
  /// Runs `work` and adds its time to the phase of that name; waiting for other ranks is counted in the exchange only.
  void timed(const char* name, const std::function<void()>& work) const;
  /// Collective. Like timed(); all ranks throw if one rank does.
  void in_phase(const char* name, const std::function<void()>& work) const;
  /// Allocates `size` values in the memory of the backend.
  Buffer allocate(Index size) const { return Buffer(memory()->allocate(Buffer::bytes_of(size)), size); }

  /// See FieldTransform; includes the ring stage.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);
  static backend::DeviceEstimate device_memory(const FieldTransformSpec& spec, int rank);

 private:
  void choose_device_work();

  // The Legendre stage of all spin fields, followed by the exchange, or preceded by it starting from `from`. With
  // overlap, both run concurrently. Counts the bytes sent by this rank.
  void legendre_then_exchange(const std::function<void()>& legendre);
  void exchange_then_legendre(const Buffer& from, const std::function<void()>& legendre);
  void overlap(const std::function<void()>& legendre);
  // Collective, as copies from a device may fail on one rank only.
  void fetch(const Buffer& delta, const Buffer& host) const;
  void put(const Buffer& host, const Buffer& delta) const;
  void count(std::span<const Index> counts) const;
  legendre::Progress progress_of(std::size_t spin_field) const;

  // Spin fields begin .. end - 1, which are exchanged together. Several ranks use one range of all spin fields. A
  // single rank, which exchanges nothing, uses its buffer for one at a time.
  struct Range {
    std::size_t begin, end;
  };
  std::vector<Range> ranges() const;
  void to_rings(const Range& range, const AlmField<T>& alm, Rule rule);
  void use_rings(const Range& range, const Use& use);
  // `from`: Delta on the rings, for several ranks; `alone_delta`: for a single rank.
  void from_rings(const Range& range, AlmField<T>& alm, Rule rule, const Complex* alone_delta, const Buffer& from);

  const comm::Communicator& comm_;
  FieldTransformSpec spec_;
  Monitor monitor_;
  std::unique_ptr<backend::Context<T>> context_;
  std::vector<std::unique_ptr<SpinTables>> spin_fields_;
  std::vector<std::unique_ptr<Stages>> stages_;  ///< [spin field]
  std::unique_ptr<DeltaExchange<T>> exchange_;   ///< of all spin fields; null on a single rank
  Buffer m_side_;              ///< Delta as held by the owners of m; on a single rank, that of the largest spin field
  Buffer ring_side_;           ///< Delta as held by the owners of rings; empty on a single rank
  bool staged_ = false;        ///< whether Delta is exchanged through the host
  Buffer m_host_, ring_host_;  ///< exchanged data: the same buffers, or copies in host memory
};

}  // namespace armilla::transform
