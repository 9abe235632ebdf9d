#pragma once

// Explicit instantiation for float and double, the two precisions of fields. Use at the end of the source file that
// defines the template, in its namespace. The template has the precision as its only parameter.
namespace armilla::core {

template <class Pointer>
struct FunctionType;
template <class Function>
struct FunctionType<Function*> {
  using type = Function;
};
template <class Class, class Function>
struct FunctionType<Function Class::*> {
  using type = Function;
};

}  // namespace armilla::core

/// A class template: ARMILLA_INSTANTIATE_CLASS(Convolver).
#define ARMILLA_INSTANTIATE_CLASS(NAME) \
  template class NAME<float>;           \
  template class NAME<double>

/// A function template: ARMILLA_INSTANTIATE(rotate), or ARMILLA_INSTANTIATE(Rotator::rotate) for a member of a class.
/// The signature is that of the declaration, so no other template may have the name.
#define ARMILLA_INSTANTIATE(NAME)                                                   \
  template ::armilla::core::FunctionType<decltype(&NAME<float>)>::type NAME<float>; \
  template ::armilla::core::FunctionType<decltype(&NAME<double>)>::type NAME<double>
