# cmake --install: bin/armilla, the library with its public headers, the CMake package armilla, example jobs and scripts.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/armilla)
set(data_dir ${CMAKE_INSTALL_DATADIR}/armilla)
set(package ${PROJECT_BINARY_DIR}/armilla-config.cmake ${PROJECT_BINARY_DIR}/armilla-config-version.cmake)
# Example jobs, and the files that they read.
set(examples)
foreach(folder data grids jobs masks spectra)
  list(APPEND examples ${PROJECT_SOURCE_DIR}/config/${folder})
endforeach()
set(slurm ${PROJECT_SOURCE_DIR}/scripts/slurm)
set(scaling ${PROJECT_SOURCE_DIR}/perf/scaling.py)
set(licence ${PROJECT_SOURCE_DIR}/LICENSE)

# The first rule, because rules run in this order.
get_target_property(headers armilla_library HEADER_SET)
set(installed $<TARGET_FILE:armilla> $<TARGET_FILE:armilla_cairo> $<TARGET_FILE:armilla_library> ${headers} ${package}
  ${examples} ${slurm} ${scaling} ${licence})
set(destinations ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR} ${CMAKE_INSTALL_INCLUDEDIR}/armilla ${package_dir} ${data_dir}
  ${CMAKE_INSTALL_DOCDIR})
install(CODE "set(ARMILLA_BUILD \"${PROJECT_BINARY_DIR}\")
set(ARMILLA_INSTALLED \"${installed}\")
set(ARMILLA_DESTINATIONS \"${destinations}\")
include(\"${CMAKE_CURRENT_LIST_DIR}/ArmillaCheckInstall.cmake\")")

file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(armilla PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
# Libraries of environment modules, Spack or conda are found at the paths used for linking.
set_target_properties(armilla armilla_cairo PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS armilla armilla_cairo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS armilla_library EXPORT armilla-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT armilla-targets NAMESPACE armilla:: DESTINATION ${package_dir})
# For Fortran: the module with its file, and its source for other compilers.
set(ARMILLA_HAS_FORTRAN OFF)
set(fortran_dir ${CMAKE_INSTALL_INCLUDEDIR}/armilla/fortran)
install(FILES ${ARMILLA_FORTRAN_SOURCE} DESTINATION ${data_dir}/fortran)
if(TARGET armilla_fortran)
  set(ARMILLA_HAS_FORTRAN ON)
  install(TARGETS armilla_fortran ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_BINARY_DIR}/fortran/armilla.mod DESTINATION ${fortran_dir})
endif()
foreach(name armilla armilla-fortran)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  if(name STREQUAL armilla OR ARMILLA_HAS_FORTRAN)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/armilla-config.cmake.in ${PROJECT_BINARY_DIR}/armilla-config.cmake
                              INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/armilla-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package} DESTINATION ${package_dir})
install(DIRECTORY ${examples} DESTINATION ${data_dir})
install(DIRECTORY ${slurm} DESTINATION ${data_dir} USE_SOURCE_PERMISSIONS)
install(PROGRAMS ${scaling} DESTINATION ${data_dir}/perf)
install(FILES ${licence} DESTINATION ${CMAKE_INSTALL_DOCDIR})
