#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <kernels/core/device_pointer.hpp>

namespace armilla::kernels {

using core::Index;

/// Numbers that are added up side by side: number i of a row goes to sum i % kSumLanes, and those are added up in
/// halves. So the sum of a row is bitwise identical on hosts and devices.
inline constexpr int kSumLanes = 32;

/// Sums over rows of products of two arrays of `fields` fields of field_stride numbers; row r is the length[r] numbers
/// from begin[r] on.
template <template <class> class Pointer, class T>
struct RowSumsTaskOf {
  Pointer<const T> x;
  Pointer<const T> y;
  Pointer<const T> weight;  ///< factors, or null for none: number i of field f has weight[weight_begin[f] + i]
  Pointer<const Index> weight_begin;  ///< [field]
  Pointer<const Index> begin;         ///< [row]
  Pointer<const Index> length;        ///< [row]
  Index rows;
  Index fields;
  Index field_stride;
  Pointer<double> sums;  ///< [field][row]
};
template <class T>
using RowSumsTask = RowSumsTaskOf<KernelPointer, T>;
template <class T>
using DeviceRowSumsTask = RowSumsTaskOf<DevicePointer, T>;

/// The products of a row, in double.
template <class T>
struct RowTerms {
  const T* x;
  const T* y;
  const T* weight;

  HOST_DEVICE RowTerms(const RowSumsTask<T>& task, Index field, Index row)
      : x(task.x + field * task.field_stride + task.begin[row]),
        y(task.y + field * task.field_stride + task.begin[row]),
        weight(task.weight == nullptr ? nullptr : task.weight + task.weight_begin[field] + task.begin[row]) {}

  HOST_DEVICE double operator()(Index i) const {
    const double product = static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return weight == nullptr ? product : static_cast<double>(weight[i]) * product;
  }
};

}  // namespace armilla::kernels
