#pragma once

#include <armilla/core/instantiate.hpp>

#include <kernels/core/each_number.hpp>
#include <kernels/lensing/lensing.hpp>

/// The kernels of lensing.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
struct DisplacePixels {
  PixelDisplacementOf<KernelPointer, T> task;

  HOST_DEVICE void operator()(Index i) const {
    const Index number = task.rings.pixels.find(i);
    const MapRing ring = task.rings.rings[number];
    const Displacement moved(ring, static_cast<double>(task.south[i]), static_cast<double>(task.east[i]));
    task.theta[i] = moved.theta;
    task.phi[i] = moved.phi(ring, i - task.rings.pixels.begin[number]);
    task.gamma[i] = moved.gamma;
  }
};

template <class T>
struct TurnTensors {
  TensorTurnOf<KernelPointer, T> task;

  HOST_DEVICE void operator()(Index i) const { turn_tensor(task.spin * task.gamma[i], task.first[i], task.second[i]); }
};

template <class T>
struct ScalePixels {
  PixelScalingOf<KernelPointer, T> task;

  HOST_DEVICE void operator()(Index i) const {
    task.to[i] =
        task.factors == nullptr ? task.from[i] : static_cast<T>(task.factors[i] * static_cast<double>(task.from[i]));
  }
};

/// Each thread processes every (blocks * kThreads)-th pixel.
template <class T>
struct FindFaults {
  using Lane = Nothing;
  static constexpr int kThreads = 256;
  struct Shared {
    DeflectionFaults found[kThreads];
  };

  FaultSearchOf<KernelPointer, T> task;

  GridSize grid() const { return {task.blocks}; }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    DeflectionFaults* const found = team.shared().found;
    team.each([&](Nothing&, int thread) {
      DeflectionFaults own = DeflectionFaults::none();
      for (Index i = block.x * kThreads + thread; i < task.count; i += task.blocks * kThreads) {
        own.add(static_cast<double>(task.south[i]), static_cast<double>(task.east[i]));
        if (task.determinant != nullptr) own.add_determinant(static_cast<double>(task.determinant[i]));
      }
      found[thread] = own;
    });
    team.barrier();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      team.each([&](Nothing&, int thread) {
        if (thread < half) found[thread].add(found[thread + half]);
      });
      team.barrier();
    }
    team.each([&](Nothing&, int thread) {
      if (thread == 0) task.found[block.x] = found[0];
    });
  }
};

template <class T>
void displace_pixels(const DevicePixelDisplacement<T>& task, StreamHandle stream) {
  launch_numbers(DisplacePixels<T>{in_kernel(task)}, task.count, "displacement of pixels", stream);
}

template <class T>
void turn_tensors(const DeviceTensorTurn<T>& task, StreamHandle stream) {
  launch_numbers(TurnTensors<T>{in_kernel(task)}, task.count, "rotation of tensors", stream);
}

template <class T>
void find_faults(const DeviceFaultSearch<T>& task, StreamHandle stream) {
  launch_team(FindFaults<T>{in_kernel(task)}, "check of a deflection", stream);
}

template <class T>
void scale_pixels(const DevicePixelScaling<T>& task, StreamHandle stream) {
  launch_numbers(ScalePixels<T>{in_kernel(task)}, task.count, "product with pixel factors", stream);
}

ARMILLA_INSTANTIATE(displace_pixels);
ARMILLA_INSTANTIATE(turn_tensors);
ARMILLA_INSTANTIATE(find_faults);
ARMILLA_INSTANTIATE(scale_pixels);

}  // namespace armilla::kernels
