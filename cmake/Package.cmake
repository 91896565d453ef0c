# What cpack makes: three Debian packages and a tarball. scripts/package.sh runs it.
#   backlit          the program, shipped phantoms, scanners and scans, man pages, completion
#   backlit-viewer   backlit-view, with its icon, menu entry and file types
#   libbacklit-dev   headers, static libraries and the CMake package
set(_packaging "${PROJECT_SOURCE_DIR}/packaging")

install(FILES "${_packaging}/backlit.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT viewer)
install(FILES "${_packaging}/backlit.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" COMPONENT viewer)
install(FILES "${_packaging}/backlit.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" COMPONENT viewer)
foreach(_page viewer viewer-tools viewer-scripts browser)
  install(FILES "${PROJECT_SOURCE_DIR}/docs/${_page}.md"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/backlit-viewer" COMPONENT viewer)
endforeach()
# scripts/package.sh makes these from the programs' own help.
set(_generated "${PROJECT_BINARY_DIR}/manuals")
install(DIRECTORY "${_generated}/programs/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT programs OPTIONAL)
install(DIRECTORY "${_generated}/viewer/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT viewer OPTIONAL)
install(DIRECTORY "${_generated}/library/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT library OPTIONAL)

set(CPACK_PACKAGE_NAME backlit)
set(CPACK_PACKAGE_VENDOR "Backlit")
set(CPACK_PACKAGE_CONTACT "The Backlit authors <maintainers@backlit.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tomographic reconstruction on the graphics pipeline")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL programs data viewer library)
set(CPACK_COMPONENT_PROGRAMS_GROUP base)
set(CPACK_COMPONENT_DATA_GROUP base)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)

set(CPACK_DEBIAN_BASE_PACKAGE_NAME backlit)
set(CPACK_DEBIAN_BASE_PACKAGE_RECOMMENDS "libgl1-mesa-dri, libegl-mesa0")
set(CPACK_DEBIAN_BASE_PACKAGE_SUGGESTS "backlit-viewer")
set(CPACK_DEBIAN_BASE_DESCRIPTION
  "CT and PET reconstruction
Reconstructs cone, fan and parallel beam CT and list-mode PET with OpenGL
shaders or the processor: FDK, SIRT, CGLS, total variation, OSEM and others.
Reads the files of many scanners.")
set(CPACK_DEBIAN_VIEWER_PACKAGE_NAME backlit-viewer)
set(CPACK_DEBIAN_VIEWER_PACKAGE_DEPENDS "backlit (= ${PROJECT_VERSION}-1), fonts-dejavu-core")
set(CPACK_DEBIAN_VIEWER_PACKAGE_RECOMMENDS "fonts-droid-fallback")  # Chinese, Japanese and Korean file names
set(CPACK_DEBIAN_VIEWER_PACKAGE_SUGGESTS "xdg-utils")               # Help > Manual
set(CPACK_DEBIAN_VIEWER_DESCRIPTION
  "viewer for running CT reconstructions
Shows a volume while it is reconstructed and follows every parameter that is
moved.")
string(REGEX MATCHALL "[a-z0-9.+-]+-dev" _dev
  "${Backlit_LIBRARIES_OF_engine}${Backlit_LIBRARIES_OF_render}")
list(REMOVE_DUPLICATES _dev)
list(JOIN _dev ", " _dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libbacklit-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "backlit (= ${PROJECT_VERSION}-1), pkg-config, ${_dev}")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
  "library for CT and PET reconstruction
Headers, static libraries and the CMake package Backlit.")
include(CPack)
