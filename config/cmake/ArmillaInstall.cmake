# cmake --install: bin/armilla, the library with its public headers, the CMake package armilla, example jobs and scripts.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/armilla)
file(RELATIVE_PATH lib_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(armilla PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
# Libraries of environment modules, Spack or conda are found at the paths used for linking.
set_target_properties(armilla armilla_cairo PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS armilla armilla_cairo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS armilla_library EXPORT armilla-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT armilla-targets NAMESPACE armilla:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/armilla-config.cmake.in ${PROJECT_BINARY_DIR}/armilla-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/armilla-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/armilla-config.cmake ${PROJECT_BINARY_DIR}/armilla-config-version.cmake
        DESTINATION ${package_dir})

# Example jobs, and the files that they read.
foreach(folder data grids jobs masks spectra)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/config/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/armilla)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/slurm DESTINATION ${CMAKE_INSTALL_DATADIR}/armilla USE_SOURCE_PERMISSIONS)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
