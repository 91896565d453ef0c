# Warnings for our own code, sanitizers, and ccache where it is installed.
add_library(backlit_warnings INTERFACE)
# 20012: GLM's defaulted functions carry host/device marks that nvcc finds redundant. Profilers read -lineinfo, which
# names our folders. Files that are compiled together shadow each other's names; --threads: a thread for each
# architecture, because what is compiled last would leave the other cores idle.
target_compile_options(backlit_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=20012 --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:RelWithDebInfo>>:-lineinfo>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${BACKLIT_UNITY}>>:--threads=2>
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:${BACKLIT_UNITY}>>>:-Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${BACKLIT_WERROR}>>:-Werror>)

if(BACKLIT_SANITIZE)
  # GCC 12 takes std::regex for uninitialised once the sanitizers' checks are in it.
  target_compile_options(backlit_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

if(BACKLIT_THREADS)
  add_compile_options(-fsanitize=thread -g1 -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Files that include a precompiled header are kept only if dates and macros of time are overlooked.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE}")
endif()

# backlit_precompile(TARGET [HEADER...]) compiles what most of its files include once: a third less time for the others.
# It comes after the target's sources.
function(backlit_precompile target)
  set(headers <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional> <span> <string> <vector>
    <fmt/format.h> ${ARGN})
  list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  target_precompile_headers(${target} PRIVATE ${headers})
  backlit_unity(${target})
endfunction()
