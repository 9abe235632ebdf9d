#include <armilla/core/instantiate.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/transform/delta_exchange.hpp>

#include <algorithm>
#include <thread>

#include <omp.h>

namespace armilla::transform {

namespace {

constexpr Index kMostParts = 8;
/// Minimum number of m per thread in each part. With fewer, threads idle at the end of a part.
constexpr Index kOrdersOfThread = 2;
/// Minimum message size. Latency dominates the time of shorter messages.
constexpr Index kMessageBytes = Index{64} << 10;
/// By count, a quarter of the exchange remains beside no kernel, and the launches of each part still fill the device.
constexpr int kDeviceParts = 4;
/// Copies of fewer values take less than 0.1 ms at 300 GB/s.
constexpr Index kPartedValues = Index{1} << 21;

std::vector<dist::ExchangePlan*> plans_of(std::span<const std::unique_ptr<SpinTables>> spin_fields) {
  std::vector<dist::ExchangePlan*> plans;
  for (const auto& tables : spin_fields) plans.push_back(&tables->exchange);
  return plans;
}

bool are_parted(std::span<const std::unique_ptr<SpinTables>> spin_fields) {
  return spin_fields.front()->exchange.parts.size() > 1;
}

std::vector<core::ExchangePart> parts_of(std::span<const std::unique_ptr<SpinTables>> spin_fields,
                                         const dist::JointExchange& joint) {
  if (!are_parted(spin_fields))
    return {{joint.send_counts, joint.send_displacements, joint.receive_counts, joint.receive_displacements}};
  std::vector<core::ExchangePart> parts;
  for (const auto& tables : spin_fields)
    parts.insert(parts.end(), tables->exchange.parts.begin(), tables->exchange.parts.end());
  return parts;
}

}  // namespace

int exchange_parts(Index orders, Index message_bytes, Index threads) {
  return static_cast<int>(
      std::clamp(std::min(orders / (kOrdersOfThread * threads), message_bytes / kMessageBytes), Index{1}, kMostParts));
}

int device_exchange_parts(Index size) { return size < kPartedValues ? 1 : kDeviceParts; }

int choose_exchange_parts(const comm::Communicator& comm, const FieldTransformSpec& spec, ExchangePath path,
                          Index bytes_of_number) {
  if (comm.size() == 1 || (spec.on_device() && path != ExchangePath::kPeers)) return 1;
  if (spec.exchange_parts > 0) return spec.exchange_parts;
  const Index ranks = comm.size(), orders = spec.alm->layout().mmax() / spec.alm->m_step() + 1;
  const auto rings = static_cast<Index>(spec.pixels->grid().rings().size());
  if (spec.on_device()) return device_exchange_parts(orders * rings / ranks * spec.maps);
  const Index message = orders * rings / (ranks * ranks) * spec.maps * bytes_of_number;
  auto least = static_cast<double>(exchange_parts(orders / ranks, message, omp_get_max_threads()));
  comm.min({&least, 1});
  return static_cast<int>(least);
}

/// Tracks the parts of one spin field during its Legendre stage.
template <class T>
class DeltaExchange<T>::Watch final : public legendre::OrderWatch {
 public:
  /// `first`: index of its first part among all parts.
  Watch(DeltaExchange& exchange, std::span<const Index> part_begin, std::size_t first)
      : exchange_(exchange),
        begin_(part_begin),
        first_(first),
        left_(std::make_unique<std::atomic<Index>[]>(part_begin.size() - 1)) {}

  void begin() {
    for (std::size_t part = 0; part < parts(); ++part) left_[part] = begin_[part + 1] - begin_[part];
    ready_ = 0;
  }

  Index part_end(Index k) const override { return begin_[part_of(k) + 1]; }

  void wanted(Index k) override {
    if (exchange_.to_rings_) return;
    const std::size_t part = first_ + part_of(k);
    if (exchange_.exchange_->is_there(part)) return;
    wait_until([&] { return exchange_.exchange_->is_there(part); });
  }

  void done(Index k) override {
    if (exchange_.to_rings_) left_[part_of(k)].fetch_sub(1, std::memory_order_acq_rel);
    if (omp_get_thread_num() == 0) drive();
  }

  void rest() override {
    // Waits for all parts in any order, because no other thread progresses the exchange.
    if (!exchange_.to_rings_)
      return wait_until([&] {
        for (std::size_t part = first_; part < first_ + parts(); ++part)
          if (!exchange_.exchange_->is_there(part)) return false;
        return true;
      });
    // Waiting for the Legendre stage of other threads is not counted as exchange time.
    for (drive(); ready_ < parts(); drive()) std::this_thread::yield();
  }

 private:
  std::size_t parts() const { return begin_.size() - 1; }
  std::size_t part_of(Index k) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begin_.begin(), begin_.end() - 1, k) - begin_.begin()) - 1;
  }

  /// Called by thread 0 only.
  void drive() {
    while (ready_ < parts() && left_[ready_].load(std::memory_order_acquire) == 0) ++ready_;
    exchange_.drive(first_ + ready_);
  }

  template <class Arrived>
  void wait_until(const Arrived& arrived) {
    const bool drives = omp_get_thread_num() == 0;
    const double start = core::now_seconds();
    while (!arrived()) {
      if (drives)
        exchange_.drive(0);
      else
        std::this_thread::yield();
    }
    if (drives) exchange_.waited_ += core::now_seconds() - start;
  }

  DeltaExchange& exchange_;
  std::span<const Index> begin_;  ///< [part] index of its first local m
  std::size_t first_;
  std::unique_ptr<std::atomic<Index>[]> left_;  ///< [part] number of unfinished m
  /// Number of leading parts whose m are all finished; used by thread 0 only.
  std::size_t ready_ = 0;
};

template <class T>
DeltaExchange<T>::DeltaExchange(const dist::AlmDistribution& alm,
                                std::span<const std::unique_ptr<SpinTables>> spin_fields, const Make& make)
    : joint_(alm, plans_of(spin_fields)), exchange_(make(parts_of(spin_fields, joint_))) {
  if (!are_parted(spin_fields)) return;
  std::size_t first = 0;
  for (const auto& tables : spin_fields) {
    watches_.push_back(std::make_unique<Watch>(*this, tables->exchange.part_begin, first));
    first += tables->exchange.parts.size();
  }
}

template <class T>
DeltaExchange<T>::~DeltaExchange() = default;

template <class T>
legendre::OrderWatch* DeltaExchange<T>::watch(std::size_t spin_field) {
  return overlaps() ? watches_[spin_field].get() : nullptr;
}

template <class T>
void DeltaExchange<T>::begin_to_rings(const Complex* m_side, Complex* ring_side) {
  to_rings_ = true;
  waited_ = 0;
  for (const auto& watch : watches_) watch->begin();
  exchange_->begin(comm::PartedExchange<T>::Direction::kForward, m_side, ring_side);
}

template <class T>
void DeltaExchange<T>::begin_to_m(const Complex* ring_side, Complex* m_side) {
  to_rings_ = false;
  waited_ = 0;
  exchange_->begin(comm::PartedExchange<T>::Direction::kBackward, ring_side, m_side);
}

// To the rings, starts the first `parts_ready` parts. To the m, keeps at most two parts in flight, so that parts arrive
// in the order in which they are needed.
template <class T>
void DeltaExchange<T>::drive(std::size_t parts_ready) {
  exchange_->poll();
  const auto may_start = [&] {
    const std::size_t next = exchange_->started();
    return to_rings_ ? next < parts_ready : next < exchange_->parts() && (next < 2 || exchange_->is_there(next - 2));
  };
  while (may_start()) exchange_->start_next();
}

template <class T>
void DeltaExchange<T>::finish() {
  const double start = core::now_seconds();
  exchange_->finish();
  waited_ += core::now_seconds() - start;
}

ARMILLA_INSTANTIATE_CLASS(DeltaExchange);

}  // namespace armilla::transform
