# armilla_module(NAME [DEPENDS module...] [LIBRARIES target...] [SEPARATE folder...]): the library of one folder of
# lib/armilla: its .cpp files and those of its folders, except the SEPARATE ones. DEPENDS repeats the include rules of the
# design, which tests/architecture enforces.
function(armilla_module name)
  cmake_parse_arguments(MODULE "" "" "DEPENDS;LIBRARIES;SEPARATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  foreach(folder IN LISTS MODULE_SEPARATE)
    list(FILTER sources EXCLUDE REGEX "/${name}/${folder}/")
  endforeach()
  add_library(armilla_${name} STATIC ${sources})
  add_library(armilla::${name} ALIAS armilla_${name})
  target_include_directories(armilla_${name} PUBLIC ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/generated)
  list(TRANSFORM MODULE_DEPENDS PREPEND armilla_)
  target_link_libraries(armilla_${name} PRIVATE armilla_flags PUBLIC ${MODULE_DEPENDS} ${MODULE_LIBRARIES})
  armilla_precompile(armilla_${name})
  armilla_unite(armilla_${name} 16)
  set_property(GLOBAL APPEND PROPERTY ARMILLA_MODULES armilla_${name})
endfunction()

# armilla_unite(TARGET COUNT): compiles up to COUNT sources of a target as one, so that the headers of other libraries are
# read once. Sources that Highway compiles for each instruction set are compiled separately.
function(armilla_unite target count)
  if(NOT ARMILLA_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")  # objects of other targets
  foreach(source IN LISTS sources)
    file(STRINGS ${source} targets REGEX "foreach_target\\.h" LIMIT_COUNT 1)
    if(targets)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  # GCC treats the unnamed namespaces of the sources as those of a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# armilla_precompile(TARGET): precompiles the headers of other libraries that most files include, once for all targets. The
# precompiled header belongs to armilla_core, the first module.
function(armilla_precompile target)
  if(NOT ARMILLA_PRECOMPILE)
    return()
  elseif(target STREQUAL armilla_core)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <complex> <functional> <map> <memory> <numeric>
      <optional> <set> <span> <string> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM armilla_core)
  endif()
endfunction()

# armilla_control_code(TARGET): for code that decides and reports, and leaves most loops over pixels and coefficients to
# other modules. It compiles at -O1 in 70% of the time.
function(armilla_control_code target)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
  # From version 13, GCC warns of a precompiled header of another level, and does not use it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()
