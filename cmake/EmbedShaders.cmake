# Turns the files of shaders/ into one C++ source, a table from path to text, remade whenever a shader changes.
# backlit_embed_shaders(TARGET) adds it to TARGET. The script half runs at build time with -P.
if(CMAKE_SCRIPT_MODE_FILE)
  set(text "// Generated from shaders/.\n#include \"gl/shader_source.hpp\"\n\nnamespace backlit::gl {\n\n")
  string(APPEND text "const EmbeddedShader embedded_shaders[] = {\n")
  foreach(file IN LISTS FILES)
    file(RELATIVE_PATH name "${ROOT}" "${file}")
    file(READ "${file}" source)
    string(APPEND text "{\"${name}\", R\"glsl(${source})glsl\"},\n")
  endforeach()
  string(APPEND text "};\nconst int embedded_shader_count = sizeof(embedded_shaders) / sizeof(embedded_shaders[0]);\n\n}\n")
  file(WRITE "${OUT}" "${text}")
  return()
endif()

set(_embed_script "${CMAKE_CURRENT_LIST_FILE}")
function(backlit_embed_shaders target)
  set(root "${PROJECT_SOURCE_DIR}/shaders")
  file(GLOB_RECURSE shaders CONFIGURE_DEPENDS "${root}/*.glsl" "${root}/*.vert" "${root}/*.frag" "${root}/*.comp" "${root}/*.geom")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded_shaders.cpp")
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DROOT=${root}" "-DFILES=${shaders}" -P "${_embed_script}"
    DEPENDS ${shaders} "${_embed_script}" VERBATIM)
  target_sources(${target} PRIVATE "${out}")
endfunction()
