#include "gl/limits.hpp"

#include <algorithm>
#include <string_view>

#include "gl/opengl.hpp"

namespace backlit::gl {
namespace {

std::int64_t get(GLenum name) {
  GLint64 value = 0;
  glGetInteger64v(name, &value);
  return value;
}

}  // namespace

Limits query_limits() {
  Limits l;
  l.texture_size = get(GL_MAX_TEXTURE_SIZE);
  l.texture_3d_size = get(GL_MAX_3D_TEXTURE_SIZE);
  l.array_layers = get(GL_MAX_ARRAY_TEXTURE_LAYERS);
  l.framebuffer_layers = get(GL_MAX_FRAMEBUFFER_LAYERS);
  constexpr std::int64_t position = 4;
  l.varying_components = std::min({get(GL_MAX_VARYING_COMPONENTS), get(GL_MAX_VERTEX_OUTPUT_COMPONENTS) - position,
                                   get(GL_MAX_FRAGMENT_INPUT_COMPONENTS) - position});
  constexpr std::int64_t position_and_layer = 5, vertices = 3;
  l.geometry_output_components =
      std::min({l.varying_components, get(GL_MAX_GEOMETRY_OUTPUT_COMPONENTS) - position_and_layer,
                get(GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS) / vertices - position_and_layer,
                get(GL_MAX_GEOMETRY_INPUT_COMPONENTS) - position_and_layer});
  l.storage_block_bytes = get(GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
  l.shared_bytes = get(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
  const std::string_view renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  l.software = renderer.find("llvmpipe") != renderer.npos || renderer.find("softpipe") != renderer.npos;
  l.layer_from_vertex_shader = GLEW_ARB_shader_viewport_layer_array != 0;
  return l;
}

std::int64_t free_device_memory() {
  GLint kib[4] = {};
  if (GLEW_NVX_gpu_memory_info)
    glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, kib);
  else if (GLEW_ATI_meminfo)
    glGetIntegerv(GL_TEXTURE_FREE_MEMORY_ATI, kib);
  return std::int64_t{kib[0]} << 10;
}

std::string device_uuid() {
  if (!GLEW_EXT_memory_object) return "";
  GLubyte bytes[GL_UUID_SIZE_EXT] = {};
  glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, 0, bytes);
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace backlit::gl
