# The libraries that Armilla depends on, as imported targets: armilla_dep_* if upstream defines none.
# Global, because public headers include MPI and enclosing projects need it too.
find_package(MPI REQUIRED COMPONENTS CXX GLOBAL)
# Whether this MPI reports at run time that it supports device memory.
include(CheckCXXSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_symbol_exists(MPIX_Query_cuda_support "mpi.h;mpi-ext.h" ARMILLA_MPI_SAYS_WHERE)
unset(CMAKE_REQUIRED_LIBRARIES)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Threads REQUIRED)
# No version in the call, because find_package would reject other major versions.
find_package(Eigen3 REQUIRED NO_MODULE)
if(Eigen3_VERSION VERSION_LESS 3.4)
  message(FATAL_ERROR "Eigen ${Eigen3_VERSION} is too old: 3.4 or newer is needed (Debian: libeigen3-dev)")
endif()
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(FFTW3 REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(FFTW3F REQUIRED IMPORTED_TARGET fftw3f)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(CFITSIO REQUIRED IMPORTED_TARGET cfitsio)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(CHEALPIX REQUIRED IMPORTED_TARGET chealpix)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo>=1.16 cairo-pdf cairo-png cairo-svg)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng>=1.6)

# Serial or parallel: each file is read and written by one rank at a time. The parallel one needs MPI's headers.
set(HDF5_PREFER_PARALLEL ON)
find_package(HDF5 REQUIRED COMPONENTS C)

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)

add_library(armilla_dep_hdf5 INTERFACE)
target_include_directories(armilla_dep_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
target_link_libraries(armilla_dep_hdf5 INTERFACE ${HDF5_C_LIBRARIES} MPI::MPI_CXX)
add_library(armilla_dep_cli11 INTERFACE)
target_include_directories(armilla_dep_cli11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})
add_library(armilla_dep_random123 INTERFACE)
target_include_directories(armilla_dep_random123 SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})
# Eigen computes on the calling thread and chooses blocks by fixed cache sizes, not those of the machine: results
# depend neither on the number of threads nor on the CPU that runs the program.
add_library(armilla_dep_eigen INTERFACE)
target_link_libraries(armilla_dep_eigen INTERFACE Eigen3::Eigen)
target_compile_definitions(armilla_dep_eigen INTERFACE EIGEN_MPL2_ONLY EIGEN_DONT_PARALLELIZE EIGEN_NO_CPUID)
