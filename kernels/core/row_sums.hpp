#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <kernels/core/device_pointer.hpp>

namespace armilla::kernels {

using core::Index;

/// Number of parallel partial sums: value i of a row is added to sum i % kSumLanes, and these sums are then added
/// pairwise by halves. The sum of a row is therefore bitwise identical on host and device.
inline constexpr int kSumLanes = 32;

/// Sums over rows of products of two arrays with `fields` fields of field_stride values; row r consists of length[r]
/// values starting at begin[r].
template <template <class> class Pointer, class T>
struct RowSumsTaskOf {
  Pointer<const T> x;
  Pointer<const T> y;
  Pointer<const T> weight;            ///< factors, or null: value i of field f has weight[weight_begin[f] + i]
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

/// Products of the values of a row, in double.
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
