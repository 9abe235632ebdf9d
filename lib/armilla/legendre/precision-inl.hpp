// Loads and stores of the kernels' vectors of double, with elements in memory of either precision. Compiled once per
// instruction set.
#if defined(ARMILLA_LEGENDRE_PRECISION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_LEGENDRE_PRECISION_INL
#undef ARMILLA_LEGENDRE_PRECISION_INL
#else
#define ARMILLA_LEGENDRE_PRECISION_INL
#endif

#include <armilla/legendre/simd-inl.hpp>

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

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

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
