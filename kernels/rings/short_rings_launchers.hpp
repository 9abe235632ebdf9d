#pragma once

#include <kernels/rings/short_rings_body.hpp>

/// The launchers of short_rings.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

void short_synthesis(const DeviceShortSynthesis<float>& task, StreamHandle stream) {
  launch_team(ShortSynthesisBody<float>{{in_kernel(task)}}, "synthesis of short rings", stream);
}
void short_synthesis(const DeviceShortSynthesis<double>& task, StreamHandle stream) {
  launch_team(ShortSynthesisBody<double>{{in_kernel(task)}}, "synthesis of short rings", stream);
}
void short_adjoint(const DeviceShortAdjoint<float>& task, StreamHandle stream) {
  launch_team(ShortAdjointBody<float>{{in_kernel(task)}}, "adjoint of short rings", stream);
}
void short_adjoint(const DeviceShortAdjoint<double>& task, StreamHandle stream) {
  launch_team(ShortAdjointBody<double>{{in_kernel(task)}}, "adjoint of short rings", stream);
}

}  // namespace armilla::kernels
