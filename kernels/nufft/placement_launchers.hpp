#pragma once

#include <armilla/core/instantiate.hpp>

#include <kernels/core/each_number.hpp>
#include <kernels/nufft/placement.hpp>

/// The kernels of placement.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

struct FindCells {
  NufftCellsOf<KernelPointer> task;

  HOST_DEVICE void operator()(Index i) const {
    task.cells[i] = nufft_place(task.placement, task.theta[i], task.phi[i]).cell;
  }
};

template <class T>
struct PlacePoints {
  NufftPlacingOf<KernelPointer, T> task;

  HOST_DEVICE void operator()(Index i) const {
    const std::uint32_t number = task.numbers[i];
    const NufftPlace place = nufft_place(task.placement, task.theta[number], task.phi[number]);
    task.points[i] = {static_cast<T>(place.z_theta), static_cast<T>(place.z_phi), number,
                      static_cast<std::uint8_t>(place.row), static_cast<std::uint8_t>(place.column)};
  }
};

void find_cells(const DeviceNufftCells& task, StreamHandle stream) {
  launch_numbers(FindCells{in_kernel(task)}, task.count, "cells of points", stream);
}

template <class T>
void place_points(const DeviceNufftPlacing<T>& task, StreamHandle stream) {
  launch_numbers(PlacePoints<T>{in_kernel(task)}, task.count, "placing of points", stream);
}

ARMILLA_INSTANTIATE(place_points);

}  // namespace armilla::kernels
