#pragma once

#include <kernels/rings/chirps_body.hpp>

/// The launchers of chirps.hpp. Include this in a file that defines launch_team.
namespace armilla::kernels {

void make_chirps(const DeviceChirpTask<float>& task, StreamHandle stream) {
  launch_team(EachThread{MakeChirps<float>{in_kernel(task)}}, "computing chirps", stream);
}
void make_chirps(const DeviceChirpTask<double>& task, StreamHandle stream) {
  launch_team(EachThread{MakeChirps<double>{in_kernel(task)}}, "computing chirps", stream);
}
void multiply(const DeviceChirpedTask<float>& task, StreamHandle stream) {
  launch_team(ColumnBody{Multiply<float>{in_kernel(task)}}, "filtering of chirped rings", stream);
}
void multiply(const DeviceChirpedTask<double>& task, StreamHandle stream) {
  launch_team(ColumnBody{Multiply<double>{in_kernel(task)}}, "filtering of chirped rings", stream);
}

}  // namespace armilla::kernels
