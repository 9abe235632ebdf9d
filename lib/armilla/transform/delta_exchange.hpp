#pragma once

#include <armilla/comm/parted_exchange.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/exchange_path.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <atomic>
#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

/// The number of parts in which Delta of a spin field is exchanged, for a rank with `orders` m that sends
/// `message_bytes` to each other rank. It is the largest number that leaves each thread some m of each part and keeps
/// messages long.
int exchange_parts(Index orders, Index message_bytes, Index threads);

/// The number of parts in which devices exchange Delta of a spin field, of which a rank has `size` values, by
/// ExchangePath::kPeers. It is one for small stages: calls in parts are not recorded (backend::RepeatedCalls), and
/// their launches would take longer than the copies.
int device_exchange_parts(Index size);

/// Collective over ranks with equal specs. The number of parts in the spec, or else that of the two functions above.
/// One on devices that exchange by another path.
int choose_exchange_parts(const comm::Communicator& comm, const FieldTransformSpec& spec, ExchangePath path,
                          Index bytes_of_number);

/// The all-to-all of Delta between the ranks of a transform, for several ranks. If it overlaps(), parts are exchanged
/// while the Legendre stage processes others. To the rings, a part is sent when all its m are done. To the m, work on
/// an m begins when its part has arrived. Thread 0 drives the exchange between its m. Without overlap, all spin fields
/// are exchanged at once. Holds a reference to the tables.
template <class T>
class DeltaExchange {
 public:
  using Complex = std::complex<T>;

  /// Creates the exchange of these parts; collective.
  using Make = std::function<std::unique_ptr<comm::PartedExchange<T>>(std::vector<core::ExchangePart> parts)>;

  /// Collective. Maps the positions in the tables to joint buffers (dist::JointExchange).
  DeltaExchange(const dist::AlmDistribution& alm, std::span<const std::unique_ptr<SpinTables>> spin_fields,
                const Make& make);
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
  std::unique_ptr<comm::PartedExchange<T>> exchange_;
  std::vector<std::unique_ptr<Watch>> watches_;  ///< [spin field]; empty without overlap
  bool to_rings_ = true;
  double waited_ = 0;
};

extern template class DeltaExchange<float>;
extern template class DeltaExchange<double>;

}  // namespace armilla::transform
