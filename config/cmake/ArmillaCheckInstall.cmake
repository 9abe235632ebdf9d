# Runs before the first file is installed, so that an install that cannot succeed changes nothing. ARMILLA_BUILD: the build
# folder; ARMILLA_INSTALLED: all files and folders that are installed; ARMILLA_DESTINATIONS: where to, relative to the prefix.
foreach(path IN LISTS ARMILLA_INSTALLED)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "Nothing was installed, because ${path} does not exist. First build all of Armilla:\n"
      "  cmake --build ${ARMILLA_BUILD} && cmake --install ${ARMILLA_BUILD} --prefix ${CMAKE_INSTALL_PREFIX}")
  endif()
endforeach()

foreach(folder IN LISTS ARMILLA_DESTINATIONS)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  set(folder "$ENV{DESTDIR}${folder}")
  cmake_path(ABSOLUTE_PATH folder NORMALIZE)
  # The folder is created in the lowest one that exists.
  while(NOT EXISTS "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  if(NOT IS_DIRECTORY "${folder}")
    message(FATAL_ERROR "Nothing was installed, because ${folder} is not a folder. Choose another --prefix.")
  endif()
  execute_process(COMMAND test -w "${folder}" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "Nothing was installed, because ${folder} is not writable. Choose another --prefix.")
  endif()
endforeach()
