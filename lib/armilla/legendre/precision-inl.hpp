// Loads and stores of the kernels' vectors of double, with elements in memory of either precision. Compiled once per
// instruction set.
#if defined(ARMILLA_LEGENDRE_PRECISION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_LEGENDRE_PRECISION_INL
#undef ARMILLA_LEGENDRE_PRECISION_INL
#else
#define ARMILLA_LEGENDRE_PRECISION_INL
#endif

#include <armilla/legendre/simd-inl.hpp>

#include <cstddef>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

using core::Index;

HWY_INLINE Vec widened(Vec value) { return value; }
template <class FloatVec>
HWY_INLINE Vec widened(FloatVec value) {
  return hn::PromoteTo(Tag(), value);
}
template <class T>
HWY_INLINE auto narrowed(Vec value) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return hn::DemoteTo(hn::Rebind<T, Tag>(), value);
}

template <class T>
HWY_INLINE Vec load_wide(const T* in) {
  return widened(hn::LoadU(hn::Rebind<T, Tag>(), in));
}
template <class T>
HWY_INLINE void store_narrow(Vec value, T* out) {
  hn::StoreU(narrowed<T>(value), hn::Rebind<T, Tag>(), out);
}

// Whether loads and stores with a mask do not touch other elements. If not, elements are copied one by one, and the
// load of the whole vector waits until these stores have reached the cache.
constexpr bool kMasksMemory = HWY_TARGET <= HWY_AVX2 || !HWY_MEM_OPS_MIGHT_FAULT;

// Loads and stores of vectors of which only the first `count` elements may exist; others are loaded as zero.
template <class T>
HWY_INLINE Vec load_some(const T* in, Index count) {
  if (count >= lane_count()) return load_wide(in);
  if (count <= 0) return hn::Zero(Tag());
  if constexpr (kMasksMemory) {
    const hn::Rebind<T, Tag> d;
    return widened(hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, in));
  } else {
    T some[hn::MaxLanes(Tag())] = {};
    for (Index i = 0; i < count; ++i) some[i] = in[i];
    return load_wide(some);
  }
}
template <class T>
HWY_INLINE void store_some(Vec value, Index count, T* out) {
  if (count >= lane_count()) return store_narrow(value, out);
  if (count <= 0) return;
  if constexpr (kMasksMemory) {
    const hn::Rebind<T, Tag> d;
    hn::BlendedStore(narrowed<T>(value), hn::FirstN(d, static_cast<std::size_t>(count)), d, out);
  } else {
    T some[hn::MaxLanes(Tag())];
    store_narrow(value, some);
    for (Index i = 0; i < count; ++i) out[i] = some[i];
  }
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
