#pragma once

/// HOST_DEVICE marks functions that a CPU compiler and nvcc both translate: per-element mathematics shared by all
/// backends.
#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif
