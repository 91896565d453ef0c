# backlit_library(NAME MODULE DEBIAN_PACKAGE) makes the imported target PkgConfig::Backlit_NAME through pkg-config. Where
# the library is missing, its package joins the list Backlit_MISSING. Used by the build and by the installed package.
find_package(PkgConfig REQUIRED)

macro(backlit_library name module package)
  pkg_check_modules(Backlit_${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(NOT Backlit_${name}_FOUND)
    list(APPEND Backlit_MISSING ${package})
  endif()
endmacro()
