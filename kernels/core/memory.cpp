#include <string>

#include <kernels/core/check.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/device_account.hpp>
#include <kernels/core/memory.hpp>

namespace armilla::kernels {

namespace {

std::string allocation(const char* what, std::size_t bytes) {
  return std::string(what) + " of " + std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

}  // namespace

namespace detail {

// A thread that has not selected a device would create a context on device 0. A deleter cannot report errors.
void FreeDevice::operator()(void* pointer) const {
  cudaSetDevice(device);
  cudaFree(pointer);
  cudaGetLastError();  // so that it is not attributed to a launch
  device_account().give_back(bytes);
}
void FreePinned::operator()(void* pointer) const {
  cudaSetDevice(device);
  cudaFreeHost(pointer);
  cudaGetLastError();
}

void* allocate_device(std::size_t bytes) {
  device_account().take(bytes);
  void* pointer = nullptr;
  try {
    check(cudaMalloc(&pointer, bytes), allocation("GPU memory allocation", bytes).c_str());
  } catch (...) {
    device_account().give_back(bytes);
    throw;
  }
  return pointer;
}

void* allocate_pinned(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMallocHost(&pointer, bytes), allocation("pinned memory allocation", bytes).c_str());
  return pointer;
}

namespace {

void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const Stream& stream) {
  if (bytes == 0) return;
  set_device(stream.device());
  check(cudaMemcpyAsync(to, from, bytes, kind, stream.get()), "copying");
}

}  // namespace

void copy_to_device(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  copy(to, from, bytes, cudaMemcpyHostToDevice, stream);
}
void copy_to_host(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  copy(to, from, bytes, cudaMemcpyDeviceToHost, stream);
}
void copy_on_device(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

void fill_zero(void* to, std::size_t bytes, const Stream& stream) {
  if (bytes == 0) return;
  set_device(stream.device());
  check(cudaMemsetAsync(to, 0, bytes, stream.get()), "zeroing memory");
}

}  // namespace detail

int device_of(const void* address) {
  cudaPointerAttributes attributes{};
  const cudaError_t status = cudaPointerGetAttributes(&attributes, address);
  cudaGetLastError();  // so that it is not attributed to a launch
  const bool is_there =
      status == cudaSuccess && (attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged);
  return is_there ? attributes.device : -1;
}

}  // namespace armilla::kernels
