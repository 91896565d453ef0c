# What `cmake --install` puts where, and the package that find_package(Backlit) finds. Nothing installed knows where the
# source or the prefix was: the package takes paths from its own place, programs from theirs. Components: library, data
# (phantoms, scanners, scans, which library and programs need), programs, viewer.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_package_template "${CMAKE_CURRENT_LIST_DIR}/BacklitConfig.cmake.in")
set(_package_library "${CMAKE_CURRENT_LIST_DIR}/PkgConfigLibrary.cmake")
set(_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Backlit")
set(Backlit_ASSETS "${PROJECT_SOURCE_DIR}/assets")

# Programs in the build tree find the assets where installed ones do: in share/backlit beside them.
if(PROJECT_IS_TOP_LEVEL)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share")
  file(CREATE_LINK "${Backlit_ASSETS}" "${PROJECT_BINARY_DIR}/share/backlit" SYMBOLIC)
endif()

# backlit_install_library(PART HEADERS) exports the target backlit_PART as Backlit::PART and installs it with the
# headers in the folder HEADERS.
function(backlit_install_library part headers)
  add_library(Backlit::${part} ALIAS backlit_${part})
  set_target_properties(backlit_${part} PROPERTIES EXPORT_NAME ${part} POSITION_INDEPENDENT_CODE ON
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
  target_include_directories(backlit_${part} PUBLIC
    "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(backlit_${part} PUBLIC cxx_std_20)
  set(component COMPONENT library)
  install(TARGETS backlit_${part} EXPORT Backlit_${part} ARCHIVE ${component} LIBRARY ${component})
  install(EXPORT Backlit_${part} NAMESPACE Backlit:: DESTINATION "${_package_folder}" FILE ${part}.cmake ${component})
  if(headers)
    install(DIRECTORY ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" ${component})
  endif()
endfunction()

function(backlit_install_program name component)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS ${name} RUNTIME COMPONENT ${component})
endfunction()

# Called last: all targets and libraries are known.
function(backlit_install_package)
  set(PARTS engine)
  foreach(part render cuda)
    if(TARGET backlit_${part})
      list(APPEND PARTS ${part})
    endif()
  endforeach()
  set(build "${PROJECT_BINARY_DIR}/package")
  configure_package_config_file("${_package_template}" "${build}/BacklitConfig.cmake"
    INSTALL_DESTINATION "${_package_folder}" NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  write_basic_package_version_file("${build}/BacklitConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${build}/BacklitConfig.cmake" "${build}/BacklitConfigVersion.cmake" "${_package_library}"
    DESTINATION "${_package_folder}" COMPONENT library)
  install(DIRECTORY "${Backlit_ASSETS}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/backlit" COMPONENT data)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT data)
endfunction()
