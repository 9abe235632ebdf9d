#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace armilla::transform {

namespace {

using Entries = std::vector<CacheEntry>;

TransformBytes sum_of(const TransformBytes& a, const TransformBytes& b) {
  return {core::saturating_sum(a.host, b.host), core::saturating_sum(a.device, b.device)};
}

/// Collective. Memory of a transform with its largest rank. A device workspace that the transform selects itself counts
/// with its smallest size.
template <class T>
TransformBytes largest_bytes(const comm::Communicator& comm, const FieldTransformSpec& spec) {
  TransformBytes bytes;
  comm::phase(comm, [&] {
    using Of = FieldTransform<T>;
    bytes.host = Of::memory(spec, comm.rank()).peak();
    if (!spec.on_device()) return;
    const backend::DeviceEstimate device = Of::device_memory(spec, comm.rank());
    bytes.device = device.with_work(spec.device_work.value_or(device.min_work())).peak();
  });
  std::array<Index, 2> most{bytes.host, bytes.device};
  comm.max(std::span<Index>(most));
  return {most[0], most[1]};
}

}  // namespace

/// What a cache shares with the transforms in use, which may outlive it. The transforms that it removes are returned,
/// to be destroyed when no lock is held.
class CacheState {
 public:
  bool keeps_any() const {
    const std::lock_guard lock(mutex_);
    return limit_.host > 0;
  }

  Entries set_limit(TransformBytes limit) {
    const std::lock_guard lock(mutex_);
    limit_ = limit;
    return remove_excess({});
  }

  Entries clear() {
    const std::lock_guard lock(mutex_);
    return std::exchange(kept_, {});
  }

  /// Makes room for a new transform.
  Entries make_room(const TransformBytes& bytes) {
    const std::lock_guard lock(mutex_);
    return remove_excess(bytes);
  }

  /// Registers a new transform as in use, and numbers it.
  void add(CacheEntry& entry) {
    const std::lock_guard lock(mutex_);
    entry.number = counts_.built++;
    use(entry);
  }

  /// Removes the kept transform for this spec with the lowest number from the list, if there is one.
  template <class T>
  std::optional<CacheEntry> find(const FieldTransformSpec& spec) {
    const std::lock_guard lock(mutex_);
    auto found = kept_.end();
    for (auto entry = kept_.begin(); entry != kept_.end(); ++entry)
      if (std::holds_alternative<std::unique_ptr<FieldTransform<T>>>(entry->transform) && entry->spec == spec &&
          (found == kept_.end() || entry->number < found->number))
        found = entry;
    if (found == kept_.end()) return std::nullopt;
    CacheEntry entry = std::move(*found);
    kept_.erase(found);
    use(entry);
    return entry;
  }

  void count_reuse() {
    const std::lock_guard lock(mutex_);
    ++counts_.reused;
  }

  /// Keeps a transform that was in use, as the most recently used one, or returns it.
  Entries give_back(CacheEntry entry) {
    const std::lock_guard lock(mutex_);
    Entries removed;
    if (!entry.bytes) {
      removed.push_back(std::move(entry));
      return removed;
    }
    used_.host -= entry.bytes->host;
    used_.device -= entry.bytes->device;
    kept_.push_back(std::move(entry));
    return remove_excess({});
  }

  CacheCounts counts() const {
    const std::lock_guard lock(mutex_);
    CacheCounts counts = counts_;
    counts.kept = static_cast<Index>(kept_.size());
    return counts;
  }

 private:
  void use(const CacheEntry& entry) {
    if (entry.bytes) used_ = sum_of(used_, *entry.bytes);
  }

  /// Removes kept transforms from the front, the least recently used one, until `more` also fits into the limit.
  Entries remove_excess(const TransformBytes& more) {
    Entries removed;
    while (true) {
      TransformBytes all = sum_of(used_, more);
      for (const CacheEntry& entry : kept_) all = sum_of(all, *entry.bytes);
      const bool host = all.host > limit_.host, device = all.device > limit_.device;
      const auto found = std::ranges::find_if(kept_, [&](const CacheEntry& entry) {
        return (host && entry.bytes->host > 0) || (device && entry.bytes->device > 0);
      });
      if (found == kept_.end()) return removed;
      removed.push_back(std::move(*found));
      kept_.erase(found);
    }
  }

  mutable std::mutex mutex_;
  TransformBytes limit_;
  TransformBytes used_;  // by transforms in use
  Entries kept_;         // the least recently used first
  CacheCounts counts_;
};

template <class T>
void CachedTransform<T>::release() noexcept {
  auto& transform = std::get<std::unique_ptr<FieldTransform<T>>>(entry_.transform);
  if (!transform) return;
  transform->set_monitor({});
  const std::shared_ptr<CacheState> cache = cache_.lock();
  if (!cache) return;
  try {
    cache->give_back(std::move(entry_));
  } catch (const std::bad_alloc&) {
    // Destroyed instead of kept.
  }
}

TransformCache::TransformCache(comm::Communicator comm)
    : comm_(std::make_shared<const comm::Communicator>(std::move(comm))), state_(std::make_shared<CacheState>()) {}

void TransformCache::set_limit(TransformBytes limit) { state_->set_limit(limit); }
void TransformCache::clear() { state_->clear(); }
CacheCounts TransformCache::counts() const { return state_->counts(); }

// Ranks that release transforms in different orders keep different ones. They agree by the number of the transform, as
// the tables of two transforms of one spec may differ in exchange parts and device workspace.
template <class T>
std::optional<CacheEntry> TransformCache::take_kept(const FieldTransformSpec& spec) {
  if (!state_->keeps_any()) return std::nullopt;
  std::optional<CacheEntry> found = state_->find<T>(spec);
  std::array<Index, 2> most{found ? found->number : Index{-1}, found ? -found->number : Index{1}};
  comm_->max(std::span<Index>(most));
  if (found && most[0] == -most[1]) {
    state_->count_reuse();
    return found;
  }
  if (found) state_->give_back(std::move(*found));
  return std::nullopt;
}

template <class T>
CachedTransform<T> TransformCache::take(const FieldTransformSpec& spec, Monitor monitor) {
  if (std::optional<CacheEntry> kept = take_kept<T>(spec)) {
    CachedTransform<T> taken(std::move(*kept), state_);
    taken->set_monitor(std::move(monitor));
    return taken;
  }
  CacheEntry entry{.comm = comm_, .spec = spec};
  if (state_->keeps_any()) {
    entry.bytes = largest_bytes<T>(*comm_, spec);
    state_->make_room(*entry.bytes);
  }
  auto transform = std::make_unique<FieldTransform<T>>(*comm_, spec, std::move(monitor));
  if (entry.bytes && transform->spec().on_device()) entry.bytes = largest_bytes<T>(*comm_, transform->spec());
  entry.transform = std::move(transform);
  state_->add(entry);
  return CachedTransform<T>(std::move(entry), state_);
}

TransformCache* cache_of(const comm::Communicator& comm) {
  std::shared_ptr<void>* const attached = comm.attached();
  if (attached == nullptr) return nullptr;
  if (!*attached) *attached = std::make_shared<TransformCache>(comm);
  return static_cast<TransformCache*>(attached->get());
}

template CachedTransform<float> TransformCache::take(const FieldTransformSpec& spec, Monitor monitor);
template CachedTransform<double> TransformCache::take(const FieldTransformSpec& spec, Monitor monitor);
ARMILLA_INSTANTIATE_CLASS(CachedTransform);

}  // namespace armilla::transform
