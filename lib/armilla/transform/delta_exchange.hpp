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

/// In how many parts Delta of a spin field is exchanged where a rank has `orders` m and sends `message_bytes` to each
/// other: as many as leave each thread some m of each part and keep messages long.
int exchange_parts(Index orders, Index message_bytes, Index threads);

/// Collective over ranks with equal specs. The parts that the spec asks for, else those of exchange_parts(); one on
/// devices.
int choose_exchange_parts(const comm::Communicator& comm, const FieldTransformSpec& spec, Index bytes_of_number);

/// The all-to-all of Delta between the ranks of a transform, several. Where it overlaps(), parts of it travel while the
/// Legendre stage works on others: to the rings, a part leaves when all its m are done; to the m, work on an m begins
/// when its part is there. Thread 0 calls MPI, between its m. Else all spin fields are exchanged at once. Holds a
/// reference to the communicator and to the tables.
template <class T>
class DeltaExchange {
 public:
  using Complex = std::complex<T>;

  /// Collective. Moves the positions in the tables into joint buffers (dist::JointExchange).
  DeltaExchange(const comm::Communicator& comm, const dist::AlmDistribution& alm,
                std::span<const std::unique_ptr<SpinTables>> spin_fields);
  ~DeltaExchange();

  /// Whether there are several parts of each spin field.
  bool overlaps() const { return !watches_.empty(); }
  /// Numbers that the m side sends, and the ring side.
  const dist::JointExchange& counts() const { return joint_; }

  /// Begins an exchange, of which nothing has left yet. Buffers hold Delta of all spin fields, and stay until finish().
  void begin_to_rings(const Complex* m_side, Complex* ring_side);
  void begin_to_m(const Complex* ring_side, Complex* m_side);
  /// Of the exchange at hand, for the Legendre stage of a spin field; these come in their order. Null where nothing
  /// overlaps.
  legendre::OrderWatch* watch(std::size_t spin_field);
  /// Collective. Returns when all is exchanged, whatever became of the Legendre stage.
  void finish();
  /// Seconds that thread 0 waited for data of the exchange that finish() has ended.
  double seconds_waited() const { return waited_; }

 private:
  class Watch;

  void drive(std::size_t parts_ready);

  dist::JointExchange joint_;
  comm::PartedExchange<T> exchange_;
  std::vector<std::unique_ptr<Watch>> watches_;  ///< [spin field]; none if nothing overlaps
  bool to_rings_ = true;
  double waited_ = 0;
};

extern template class DeltaExchange<float>;
extern template class DeltaExchange<double>;

}  // namespace armilla::transform
