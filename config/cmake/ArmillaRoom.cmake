# armilla_room(NAME [DEPENDS room...] [LIBRARIES target...]): the library of one folder of lib/armilla, all its .cpp files.
# DEPENDS repeats the include rules of the design; tests/architecture holds the sources to the same table.
function(armilla_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/cuda/|cuda_absent\\.cpp$")
  if(sources)
    add_library(armilla_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(armilla_${name} PRIVATE armilla_flags)
    set_target_properties(armilla_${name} PROPERTIES EXPORT_NAME ${name})
  else()
    add_library(armilla_${name} INTERFACE)
    set(scope INTERFACE)
    set_target_properties(armilla_${name} PROPERTIES EXPORT_NAME ${name})
  endif()
  add_library(armilla::${name} ALIAS armilla_${name})
  target_include_directories(armilla_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(room IN LISTS ROOM_DEPENDS)
    target_link_libraries(armilla_${name} ${scope} armilla_${room})
  endforeach()
  target_link_libraries(armilla_${name} ${scope} ${ROOM_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY ARMILLA_ROOMS armilla_${name})
endfunction()

# armilla_emulated_room(NAME [DEPENDS room...] [LIBRARIES target...]): the same room for tests, with the CUDA backend on
# the emulated device.
# Of the rooms it depends on, those that have an emulated twin are taken as that.
function(armilla_emulated_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*/*.cpp)
  list(FILTER sources EXCLUDE REGEX "cuda_absent\\.cpp$")
  add_library(armilla_${name}_emulated STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(armilla_${name}_emulated
    PUBLIC ${PROJECT_SOURCE_DIR}/lib ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(armilla_${name}_emulated PRIVATE armilla_flags PUBLIC ${ROOM_LIBRARIES})
  foreach(room IN LISTS ROOM_DEPENDS)
    if(TARGET armilla_${room}_emulated)
      target_link_libraries(armilla_${name}_emulated PUBLIC armilla_${room}_emulated)
    else()
      target_link_libraries(armilla_${name}_emulated PUBLIC armilla_${room})
    endif()
  endforeach()
endfunction()
