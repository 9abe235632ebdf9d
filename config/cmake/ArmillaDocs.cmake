# The target docs: the reference of the public C++ interface, in html/ of the build folder's docs/reference. Fails for
# public entities without a docstring. Not part of the default build.
find_package(Doxygen 1.9 QUIET)
if(NOT DOXYGEN_FOUND)
  add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo "docs: Doxygen >= 1.9 is missing (Debian: doxygen)"
                    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()
set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs/reference)
file(MAKE_DIRECTORY ${DOXYGEN_OUTPUT_DIRECTORY})
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR}/lib)
set(DOXYGEN_STRIP_FROM_INC_PATH ${PROJECT_SOURCE_DIR}/lib)
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_GENERATE_LATEX NO)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
get_target_property(headers armilla_library HEADER_SET)
doxygen_add_docs(docs ${headers} COMMENT "Reference of the public C++ interface")
