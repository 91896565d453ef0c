# Turns page.html into a C++ source that defines what page.hpp beside it declares, remade when the page changes.
# backlit_embed_page(TARGET PAGE) adds it to TARGET. The script half runs at build time with -P.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${PAGE}" text)
  # Compilers limit how long a literal may be: pieces of it are put together by the compiler.
  string(LENGTH "${text}" length)
  set(source "// Generated from page.html.\n#include \"serve/page.hpp\"\n\nnamespace backlit::viewer::serve {\n\n")
  string(APPEND source "const std::string_view page =\n")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND source "R\"html(${piece})html\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  file(WRITE "${OUT}" "${source};\n\n}  // namespace backlit::viewer::serve\n")
  return()
endif()

set(_embed_page_script "${CMAKE_CURRENT_LIST_FILE}")
function(backlit_embed_page target page)
  set(from "${CMAKE_CURRENT_SOURCE_DIR}/${page}")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded_page.cpp")
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DPAGE=${from}" -P "${_embed_page_script}"
    DEPENDS "${from}" "${_embed_page_script}" VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()
