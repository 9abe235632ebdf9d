# cmake --install: bin/armilla, the libraries, their headers, the CMake package Armilla, example jobs and scripts.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY ARMILLA_ROOMS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Armilla)

# The rooms are static libraries, so that their private needs are needed again by whoever links them.
set(helpers armilla_flags)
foreach(target armilla_dep_hdf5 armilla_dep_cli11 armilla_dep_random123)
  if(TARGET ${target})
    list(APPEND helpers ${target})
  endif()
endforeach()
foreach(target IN LISTS helpers)
  string(REPLACE armilla_ "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endforeach()

# The headers are C++20; the rooms' own flags do not travel.
foreach(target IN LISTS rooms)
  target_compile_features(${target} INTERFACE cxx_std_20)
endforeach()

install(TARGETS ${rooms} ${helpers} EXPORT ArmillaTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS armilla RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/armilla ${PROJECT_BINARY_DIR}/generated/armilla
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")

install(EXPORT ArmillaTargets NAMESPACE armilla:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ArmillaConfig.cmake.in ${PROJECT_BINARY_DIR}/ArmillaConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ArmillaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ArmillaConfig.cmake ${PROJECT_BINARY_DIR}/ArmillaConfigVersion.cmake
        DESTINATION ${package_dir})

# Example jobs, and the files that they read.
foreach(folder data grids jobs masks spectra)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/config/${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/armilla)
endforeach()
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/slurm/transform.sbatch DESTINATION ${CMAKE_INSTALL_DATADIR}/armilla/slurm)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
