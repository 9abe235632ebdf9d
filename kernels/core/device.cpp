#include <span>

#include <fmt/format.h>
#include <kernels/core/check.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/device_account.hpp>

namespace armilla::kernels {

namespace {

std::string hexadecimal(std::span<const char> bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

}  // namespace

std::vector<DeviceProperties> devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();  // so that it is not attributed to a launch
    return {};
  }
  std::vector<DeviceProperties> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    int single_to_double = 0;
    check(cudaGetDeviceProperties(&properties, i), "querying the properties of a device");
    check(cudaDeviceGetAttribute(&single_to_double, cudaDevAttrSingleToDoublePrecisionPerfRatio, i),
          "querying the rates of a device");
    devices.push_back({.name = properties.name,
                       .uuid = hexadecimal(properties.uuid.bytes),
                       .compute_major = properties.major,
                       .compute_minor = properties.minor,
                       .memory_bytes = static_cast<Index>(properties.totalGlobalMem),
                       .multiprocessors = properties.multiProcessorCount,
                       .single_to_double = single_to_double});
  }
  return devices;
}

std::string why_no_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  int driver = 0;
  if (status == cudaSuccess || status == cudaErrorNoDevice || cudaDriverGetVersion(&driver) != cudaSuccess ||
      driver == 0)
    return {};
  return fmt::format(
      "CUDA cannot use the GPUs of this machine: {} ({}); its driver is for CUDA {}.{}, this program "
      "for CUDA {}.{}",
      cudaGetErrorString(status), cudaGetErrorName(status), driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
      CUDART_VERSION % 1000 / 10);
}

void set_device(int index) { check(cudaSetDevice(index), "selecting the device"); }

void wait_for_device(int index) {
  set_device(index);
  check(cudaDeviceSynchronize(), "waiting for the device");
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "querying the current device");
  return device;
}

bool has_tensor_cores() {
  const int device = current_device();
  int major = 0;
  int minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "querying the compute capability");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "querying the compute capability");
  return minor == 0 && (major == 8 || major == 9);
}

DeviceMemory device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "querying the free memory");
  return {detail::device_account().within_limit(static_cast<Index>(free)), static_cast<Index>(total)};
}

DeviceUsage device_usage() { return detail::device_account().usage(); }
void forget_peak() { detail::device_account().forget_peak(); }
void limit_device_memory(Index bytes) { detail::device_account().limit(bytes); }

}  // namespace armilla::kernels
