#include <armilla/core/error.hpp>

#include <cstring>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <kernels/core/device.hpp>
#include <kernels/core/peer_memory.hpp>

namespace armilla::kernels {

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(PeerHandle));

namespace {

// Devices that do not share memory are not faulty, so there is no advice, unlike from check().
void check_sharing(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw core::ResourceError(
      fmt::format("CUDA: {} failed: {} ({})", what, cudaGetErrorString(status), cudaGetErrorName(status)));
}

}  // namespace

PeerHandle peer_handle(const void* array) {
  cudaIpcMemHandle_t native;
  check_sharing(cudaIpcGetMemHandle(&native, const_cast<void*>(array)), "sharing memory with other processes");
  PeerHandle handle;
  std::memcpy(handle.bytes.data(), &native, sizeof(native));
  return handle;
}

PeerArray::PeerArray(const PeerHandle& handle) {
  cudaIpcMemHandle_t native;
  std::memcpy(&native, handle.bytes.data(), sizeof(native));
  void* address = nullptr;
  check_sharing(cudaIpcOpenMemHandle(&address, native, cudaIpcMemLazyEnablePeerAccess),
                "opening memory of another process");
  address_ = {address, Close{current_device()}};
}

// A deleter cannot report errors.
void PeerArray::Close::operator()(void* address) const {
  cudaSetDevice(device);
  cudaIpcCloseMemHandle(address);
  cudaGetLastError();  // so that it is not attributed to a launch
}

}  // namespace armilla::kernels
