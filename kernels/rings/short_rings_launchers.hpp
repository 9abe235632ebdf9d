#pragma once

#include <kernels/rings/short_rings_body.hpp>

/// The launchers of short_rings.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void short_synthesis(const ShortSynthesis<float>& task, StreamHandle stream) {
  launch_team(ShortSynthesisBody<float>{{task}}, "synthesis of short rings", stream);
}
void short_synthesis(const ShortSynthesis<double>& task, StreamHandle stream) {
  launch_team(ShortSynthesisBody<double>{{task}}, "synthesis of short rings", stream);
}
void short_adjoint(const ShortAdjoint<float>& task, StreamHandle stream) {
  launch_team(ShortAdjointBody<float>{{task}}, "adjoint of short rings", stream);
}
void short_adjoint(const ShortAdjoint<double>& task, StreamHandle stream) {
  launch_team(ShortAdjointBody<double>{{task}}, "adjoint of short rings", stream);
}

}  // namespace armilla::kernels
