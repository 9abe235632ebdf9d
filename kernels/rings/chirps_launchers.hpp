#pragma once

#include <kernels/rings/chirps_body.hpp>

/// The launchers of chirps.hpp, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

void make_chirps(const ChirpTask<float>& task, StreamHandle stream) {
  launch_team(EachThread{MakeChirps<float>{task}}, "making chirps", stream);
}
void make_chirps(const ChirpTask<double>& task, StreamHandle stream) {
  launch_team(EachThread{MakeChirps<double>{task}}, "making chirps", stream);
}
void multiply(const ChirpedTask<float>& task, StreamHandle stream) {
  launch_team(ColumnBody{Multiply<float>{task}}, "filtering of chirped rings", stream);
}
void multiply(const ChirpedTask<double>& task, StreamHandle stream) {
  launch_team(ColumnBody{Multiply<double>{task}}, "filtering of chirped rings", stream);
}

}  // namespace armilla::kernels
