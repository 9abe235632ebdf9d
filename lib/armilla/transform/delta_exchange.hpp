#pragma once

#include <armilla/comm/parted_exchange.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <atomic>
#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

/// The number of parts in which Delta of a spin field is exchanged, for a rank with `orders` m that sends
/// `message_bytes` to each other rank. It is the largest number that leaves each thread some m of each part and keeps
/// messages long.
int exchange_parts(Index orders, Index message_bytes, Index threads);

/// Collective over ranks with equal specs. The number of parts in the spec, or else exchange_parts(); one on devices.
int choose_exchange_parts(const comm::Communicator& comm, const FieldTransformSpec& spec, Index bytes_of_number);

/// The all-to-all of Delta between the ranks of a transform, for several ranks. If it overlaps(), parts are exchanged
/// while the Legendre stage processes others. To the rings, a part is sent when all its m are done. To the m, work on
/// an m begins when its part has arrived. Thread 0 calls MPI between its m. Without overlap, all spin fields are
/// exchanged at once. Holds a reference to the communicator and to the tables.
template <class T>
class DeltaExchange {
 public:
  using Complex = std::complex<T>;

  /// Collective. Maps the positions in the tables to joint buffers (dist::JointExchange), which are in `space`.
  DeltaExchange(const comm::Communicator& comm, const dist::AlmDistribution& alm,
                std::span<const std::unique_ptr<SpinTables>> spin_fields, core::MemorySpace space);
  ~DeltaExchange();

  /// Whether there are several parts of each spin field.
  bool overlaps() const { return !watches_.empty(); }
  /// Numbers of values sent by the m side and by the ring side.
  const dist::JointExchange& counts() const { return joint_; }

  /// Starts an exchange without sending. Buffers hold Delta of all spin fields, and must stay valid until finish().
  void begin_to_rings(const Complex* m_side, Complex* ring_side);
  void begin_to_m(const Complex* ring_side, Complex* m_side);
  /// The watch of the current exchange, for the Legendre stage of a spin field; spin fields must come in order. Null
  /// without overlap.
  legendre::OrderWatch* watch(std::size_t spin_field);
  /// Collective. Returns when the exchange is complete, even if the Legendre stage has failed.
  void finish();
  /// Seconds that thread 0 waited for data of the last exchange completed by finish().
  double seconds_waited() const { return waited_; }

 private:
  class Watch;

  void drive(std::size_t parts_ready);

  dist::JointExchange joint_;
  comm::PartedExchange<T> exchange_;
  std::vector<std::unique_ptr<Watch>> watches_;  ///< [spin field]; empty without overlap
  bool to_rings_ = true;
  double waited_ = 0;
};

extern template class DeltaExchange<float>;
extern template class DeltaExchange<double>;

}  // namespace armilla::transform
