#include <string>

#include <kernels/core/check.hpp>
#include <kernels/core/device_account.hpp>
#include <kernels/core/memory.hpp>

namespace armilla::kernels {

namespace {

std::string allocation(const char* what, std::size_t bytes) {
  return std::string(what) + " of " + std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

}  // namespace

namespace detail {

void FreeDevice::operator()(void* pointer) const {
  cudaFree(pointer);
  device_account().give_back(bytes);
}
void FreePinned::operator()(void* pointer) const { cudaFreeHost(pointer); }

void* allocate_device(std::size_t bytes) {
  device_account().take(bytes);
  void* pointer = nullptr;
  try {
    check(cudaMalloc(&pointer, bytes), allocation("allocation on the GPU", bytes).c_str());
  } catch (...) {
    device_account().give_back(bytes);
    throw;
  }
  return pointer;
}

void* allocate_pinned(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMallocHost(&pointer, bytes), allocation("allocation of pinned memory", bytes).c_str());
  return pointer;
}

void copy(void* to, const void* from, std::size_t bytes, StreamHandle stream) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying");
}

void fill_zero(void* to, std::size_t bytes, StreamHandle stream) {
  if (bytes > 0) check(cudaMemsetAsync(to, 0, bytes, stream), "setting to zero");
}

}  // namespace detail

}  // namespace armilla::kernels
