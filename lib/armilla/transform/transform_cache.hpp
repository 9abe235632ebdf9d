#pragma once

#include <armilla/transform/device_trial.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace armilla::transform {

/// Memory of transforms, on the rank where it is largest, so that all ranks have the same number [bytes].
struct TransformBytes {
  Index host = 0;
  Index device = 0;
};

/// Numbers of transforms that a TransformCache has returned or holds.
struct CacheCounts {
  Index built = 0;   ///< constructed by take()
  Index reused = 0;  ///< returned by take() again
  Index kept = 0;    ///< not in use now
};

class CacheState;

/// A transform with the communicator that it refers to, and its position in a cache.
struct CacheEntry {
  std::shared_ptr<const comm::Communicator> comm;
  FieldTransformSpec spec;  ///< as passed to take()
  Index number = 0;         ///< the same on all ranks
  /// std::nullopt if it is not to be kept.
  std::optional<TransformBytes> bytes = {};
  std::variant<std::unique_ptr<FieldTransform<float>>, std::unique_ptr<FieldTransform<double>>> transform = {};
};

/// A transform in use, returned to its cache by the destructor. It may outlive the cache. Moving and destruction are
/// not collective and call no MPI; ranks may release transforms in any order.
template <class T>
class CachedTransform {
 public:
  CachedTransform(CacheEntry entry, std::weak_ptr<CacheState> cache)
      : entry_(std::move(entry)), cache_(std::move(cache)) {}
  CachedTransform(CachedTransform&&) noexcept = default;
  CachedTransform& operator=(CachedTransform&& other) noexcept {
    std::swap(entry_, other.entry_);
    std::swap(cache_, other.cache_);
    return *this;
  }
  ~CachedTransform() { release(); }

  /// The spec passed to TransformCache::take(). That of the transform has the selected backend and workspace.
  const FieldTransformSpec& spec() const { return entry_.spec; }
  FieldTransform<T>& operator*() const { return *std::get<std::unique_ptr<FieldTransform<T>>>(entry_.transform); }
  FieldTransform<T>* operator->() const { return &**this; }

 private:
  void release() noexcept;

  CacheEntry entry_;
  std::weak_ptr<CacheState> cache_;
};

/// Transforms of one group of ranks that are kept for further use after their users have released them. Results do not
/// depend on whether a transform is constructed or reused. A transform in use is never returned to a second user. Calls
/// may come from any thread, with collective ones from one thread at a time.
class TransformCache {
 public:
  /// Not collective. A cache for transforms on the ranks of `comm`; keeps none until set_limit().
  explicit TransformCache(comm::Communicator comm);
  TransformCache(const TransformCache&) = delete;
  TransformCache& operator=(const TransformCache&) = delete;

  /// Not collective, but all ranks must set the same limit. The transforms in use and those kept need at most `limit`
  /// per rank together, by FieldTransform::memory(). Those kept are destroyed, the least recently used first, until
  /// this holds; transforms in use are not limited. With {0, 0}, the initial limit, a transform is destroyed when it is
  /// released.
  void set_limit(TransformBytes limit);

  /// Collective. Returns a transform for this spec with this monitor: one that all ranks keep, or else a new one.
  /// Throws like the constructor of FieldTransform.
  template <class T>
  CachedTransform<T> take(const FieldTransformSpec& spec, Monitor monitor = {});

  /// Not collective. Destroys the transforms that are not in use.
  void clear();

  /// Not collective.
  CacheCounts counts() const;

  /// Not collective. Device tests that these ranks have passed, for try_devices(); not affected by clear().
  PassedTrials& passed_trials() { return passed_trials_; }
  /// Not collective. Why devices of these ranks do not exchange by ExchangePath::kPeers, empty if they do; std::nullopt
  /// before a test. Not affected by clear().
  std::optional<std::string>& peer_trial() { return peer_trial_; }

 private:
  template <class T>
  std::optional<CacheEntry> take_kept(const FieldTransformSpec& spec);

  std::shared_ptr<const comm::Communicator> comm_;
  std::shared_ptr<CacheState> state_;
  PassedTrials passed_trials_;
  std::optional<std::string> peer_trial_;
};

/// Not collective. The cache of a communicator from world(), duplicate_of() or self(), the same for all its copies. It
/// exists until the communicator is freed. Null for groups of ranks made by Armilla (comm::Communicator::split() and
/// others): their transforms end with the group.
TransformCache* cache_of(const comm::Communicator& comm);

extern template class CachedTransform<float>;
extern template class CachedTransform<double>;

}  // namespace armilla::transform
