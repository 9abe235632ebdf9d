# The options of the build, in one place.
include(CMakeDependentOption)
include(GNUInstallDirs)

set(ARMILLA_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (where nvcc is found), ON, OFF")
set_property(CACHE ARMILLA_CUDA PROPERTY STRINGS AUTO ON OFF)
option(ARMILLA_TESTS "Build the tests, where Armilla is the top-level project" ON)
option(ARMILLA_SWEEPS "Add the second tier of the tests: parameter sweeps, 2 and 7 ranks, GPU programs, reports" OFF)
option(ARMILLA_PERF "Build the benchmarks, where Armilla is the top-level project" OFF)
option(ARMILLA_PYTHON "Build the Python package, where Armilla is the top-level project" OFF)
option(ARMILLA_WERROR "Treat warnings as errors" OFF)
# Two options that shorten a fresh build. They are off with a compiler cache: it does not cache what was compiled with a
# precompiled header, and a change of one source would recompile all sources of its unit.
cmake_dependent_option(ARMILLA_UNITY "Compile several sources at a time" ON "NOT CMAKE_CXX_COMPILER_LAUNCHER" OFF)
cmake_dependent_option(ARMILLA_PRECOMPILE "Precompile headers of other libraries" ON "NOT CMAKE_CXX_COMPILER_LAUNCHER" OFF)
option(ARMILLA_FUZZ "Build the fuzz targets, with clang and ARMILLA_SANITIZE=address,undefined,fuzzer-no-link" OFF)
set(ARMILLA_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them: address,undefined or thread")

add_library(armilla_flags INTERFACE)
target_compile_features(armilla_flags INTERFACE cxx_std_20)
# Products and sums are fused only where the code requests it, so that results do not depend on the compiler's choices.
target_compile_options(armilla_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_options(armilla_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ARMILLA_WERROR}>>:-Werror>)
if(ARMILLA_SANITIZE)
  target_compile_options(armilla_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ARMILLA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined,float-cast-overflow>)
  # With sanitizers, dlopen() uses RPATH only, not RUNPATH.
  target_link_options(armilla_flags INTERFACE -fsanitize=${ARMILLA_SANITIZE} LINKER:--disable-new-dtags)
endif()

if(NOT ARMILLA_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    enable_language(CUDA)
    # CMake before 3.26 does not know the C++20 option of nvcc.
    foreach(kind STANDARD EXTENSION)
      if(NOT DEFINED CMAKE_CUDA20_${kind}_COMPILE_OPTION)
        set(CMAKE_CUDA20_${kind}_COMPILE_OPTION "-std=c++20")
      endif()
    endforeach()
    find_package(CUDAToolkit REQUIRED)
    set(ARMILLA_HAS_CUDA ON)
  elseif(ARMILLA_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ARMILLA_CUDA=ON, but no CUDA compiler was found: put nvcc on PATH, set CUDACXX, or use ARMILLA_CUDA=OFF")
  endif()
endif()
if(NOT ARMILLA_HAS_CUDA)
  set(ARMILLA_HAS_CUDA OFF)
endif()
message(STATUS "Armilla: CUDA ${ARMILLA_HAS_CUDA}, tests ${ARMILLA_TESTS}, build type ${CMAKE_BUILD_TYPE}")
