// The text of shaders: files of shaders/, embedded at build time.
#pragma once

namespace backlit::gl {

struct EmbeddedShader {
  const char* path;  ///< relative to shaders/, as in "voxel_driven/ag_gpu.vert"
  const char* text;
};
extern const EmbeddedShader embedded_shaders[];
extern const int embedded_shader_count;

}  // namespace backlit::gl
