# The Fortran module armilla, armilla::fortran, from lib/armilla/capi/fortran: parts for each precision and each kind of object
# are repeated. Module files work with one compiler only, so the complete source is installed too. Without a Fortran
# compiler, only the source is made.
include(CheckLanguage)
check_language(Fortran)
set(folder ${PROJECT_SOURCE_DIR}/lib/armilla/capi/fortran)
set(ARMILLA_FORTRAN_SOURCE ${PROJECT_BINARY_DIR}/generated/armilla.f90)

# Sets `to` to the parts of a template, one after the other; each further argument is a list of NAME=VALUE.
function(armilla_repeat template to)
  file(READ ${folder}/${template} part)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${template})
  set(text "")
  foreach(assignments ${ARGN})
    set(one "${part}")
    string(REPLACE "," ";" assignments "${assignments}")
    foreach(assignment ${assignments})
      string(REGEX MATCH "^([A-Z]+)=(.*)$" _ "${assignment}")
      string(REPLACE "@${CMAKE_MATCH_1}@" "${CMAKE_MATCH_2}" one "${one}")
    endforeach()
    string(APPEND text "${one}")
  endforeach()
  set(${to} "${text}" PARENT_SCOPE)
endfunction()

set(kinds "KIND=real32,SUFFIX=_float" "KIND=real64,SUFFIX=")
armilla_repeat(c_functions.f90.in C_FUNCTIONS "NONE=")
armilla_repeat(c_functions_of_kind.f90.in C_FUNCTIONS_OF_KINDS ${kinds})
armilla_repeat(objects.f90.in OBJECTS "NONE=")
armilla_repeat(procedures_of_kind.f90.in PROCEDURES_OF_KINDS ${kinds})
armilla_repeat(destruction.f90.in DESTRUCTION "OBJECT=session" "OBJECT=grid" "OBJECT=transform" "OBJECT=redistribution"
  "OBJECT=points" "OBJECT=job" "OBJECT=result")
configure_file(${folder}/armilla.f90.in ${ARMILLA_FORTRAN_SOURCE} @ONLY)

if(NOT CMAKE_Fortran_COMPILER)
  return()
endif()
enable_language(Fortran)
add_library(armilla_fortran STATIC ${ARMILLA_FORTRAN_SOURCE})
add_library(armilla::fortran ALIAS armilla_fortran)
set(module_dir ${PROJECT_BINARY_DIR}/fortran)
set_target_properties(armilla_fortran PROPERTIES Fortran_MODULE_DIRECTORY ${module_dir} POSITION_INDEPENDENT_CODE ON)
target_include_directories(armilla_fortran INTERFACE ${module_dir})
target_link_libraries(armilla_fortran INTERFACE armilla::c)
