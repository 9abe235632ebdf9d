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
#include <vector>

namespace armilla::transform {

/// The half of the transforms of a field that has no pixels: coefficients <-> Delta_m(ring), by the Legendre stage and
/// the exchange between ranks. Used by FieldTransform, and by iterations between coefficients and rings. Holds a
/// reference to the communicator.
template <class T>
class DeltaTransform {
 public:
  using Complex = std::complex<T>;
  using Buffer = backend::DeltaBuffer<T>;
  using Stage = backend::Backend<T>;

  /// Weights of rings in the Legendre stage: none, or the exact quadrature in theta of a grid that supports it
  /// (FieldTransformSpec::theta_quadrature).
  enum class Rule { kPlain, kQuadrature };

  /// Work on Delta of a spin field, on the rings of this rank, where the backend computes. One rank alone has
  /// one buffer for all spin fields, so it holds what the call before left there for another spin field.
  using Use = std::function<void(std::size_t spin_field, Complex* delta)>;
  /// The same, returning the address of Delta of the spin field: in `buffer`, or elsewhere on a single rank.
  using Make = std::function<const Complex*(std::size_t spin_field, Complex* buffer)>;

  /// As FieldTransform.
  DeltaTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor);
  DeltaTransform(const DeltaTransform&) = delete;
  DeltaTransform& operator=(const DeltaTransform&) = delete;

  const comm::Communicator& comm() const { return comm_; }
  /// As given, with the selected backend and working space.
  const FieldTransformSpec& spec() const { return spec_; }
  backend::Kind backend() const { return spec_.backend; }
  /// Whether it computes on a device.
  bool on_device() const { return spec_.device_work.has_value(); }
  std::shared_ptr<backend::Memory> memory() const { return context_->memory(); }
  /// Whether this rank owns all rings and m.
  bool alone() const { return comm_.size() == 1; }
  /// The spin fields, with what computes them.
  std::span<const std::unique_ptr<SpinTables>> spin_fields() const { return spin_fields_; }
  Stage& stage(std::size_t spin_field) const { return *stages_[spin_field]; }
  /// Calls the monitor between the iterations of a solver. Collective.
  void between_iterations() const {
    if (monitor_.between_iterations) monitor_.between_iterations();
  }

  /// Collective. Delta of alm on the rings; use() runs for each spin field, in the phase "rings".
  void synthesis(const AlmField<T>& alm, const Use& use, Rule rule = Rule::kPlain);
  /// Collective. alm from Delta on the rings; make() runs for each spin field, in the phase "rings". `standing`:
  /// several ranks, Delta of all spin fields where make() left it, laid out as the exchange has it; null for the
  /// buffer. Overwrites alm.
  void adjoint(const Make& make, AlmField<T>& alm, Rule rule = Rule::kPlain, const Buffer* standing = nullptr);
  /// Collective. Both, with change() between them: Delta of alm, changed in place, to result, which is overwritten.
  void normal(const AlmField<T>& alm, const Use& change, AlmField<T>& result);

  /// One rank alone: Delta of the largest spin field, to work in; the next call overwrites it.
  Complex* workspace() const { return m_side_.data(); }
  /// Runs `work` and adds its time to the phase of that name; waiting for other ranks is counted in the exchange only.
  void timed(const char* name, const std::function<void()>& work) const;
  /// Collective. The same, and all ranks agree on failure.
  void in_phase(const char* name, const std::function<void()>& work) const;
  /// Numbers where the backend computes.
  Buffer allocate(Index size) const { return Buffer(memory()->allocate(Buffer::bytes_of(size)), size); }

  /// Collective. See FieldTransform::agree_on_fft_plans().
  static void agree_on_fft_plans(const comm::Communicator& comm, const FieldTransformSpec& spec);
  /// As FieldTransform, ring stage included.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, int rank);
  static backend::DeviceEstimate device_memory(const FieldTransformSpec& spec, int rank);

 private:
  void choose_device_work();

  // Work of the Legendre stage, and the exchange behind it, or before it from `from`, of all spin fields; under it
  // where that overlaps. Counts what leaves this rank.
  void legendre_then_exchange(const std::function<void()>& legendre);
  void exchange_then_legendre(const Buffer& from, const std::function<void()>& legendre);
  void overlap(const std::function<void()>& legendre);
  // Collective, as the copies of a device may fail on one rank alone.
  void fetch(const Buffer& delta, const Buffer& host) const;
  void put(const Buffer& host, const Buffer& delta) const;
  void count(std::span<const Index> counts) const;
  legendre::Progress progress_of(std::size_t spin_field) const;

  // Spin fields begin .. end - 1 are exchanged together: all of them; one rank alone, which exchanges nothing, uses its
  // buffer for one after the other.
  struct Range {
    std::size_t begin, end;
  };
  std::vector<Range> ranges() const;
  void to_rings(const Range& range, const AlmField<T>& alm, Rule rule);
  void use_rings(const Range& range, const Use& use);
  // `from`: Delta on the rings of several ranks; `alone_delta`: of one alone.
  void from_rings(const Range& range, AlmField<T>& alm, Rule rule, const Complex* alone_delta, const Buffer& from);

  const comm::Communicator& comm_;
  FieldTransformSpec spec_;
  Monitor monitor_;
  std::unique_ptr<backend::Context<T>> context_;
  std::vector<std::unique_ptr<SpinTables>> spin_fields_;
  std::vector<std::unique_ptr<Stage>> stages_;  ///< [spin field]
  std::unique_ptr<DeltaExchange<T>> exchange_;  ///< of all spin fields; nothing if alone
  Buffer m_side_;              ///< Delta as the owners of m hold it; of the largest spin field where alone
  Buffer ring_side_;           ///< as the owners of rings hold it; empty if alone
  bool staged_ = false;        ///< whether Delta is exchanged by way of the host
  Buffer m_host_, ring_host_;  ///< what is exchanged: the same buffers, or copies in host memory
};

}  // namespace armilla::transform
