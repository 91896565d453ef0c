// Capabilities of the current context. A plain struct, so that tests can mask one and take the other code path.
#pragma once

#include <cstdint>
#include <string>

namespace backlit::gl {

struct Limits {
  std::int64_t texture_size = 0;        ///< GL_MAX_TEXTURE_SIZE: width and height of 2-D and array textures
  std::int64_t texture_3d_size = 0;     ///< GL_MAX_3D_TEXTURE_SIZE
  std::int64_t array_layers = 0;        ///< GL_MAX_ARRAY_TEXTURE_LAYERS
  std::int64_t framebuffer_layers = 0;  ///< GL_MAX_FRAMEBUFFER_LAYERS
  /// Scalars that a vertex shader may pass to a fragment shader besides gl_Position: the smallest of
  /// GL_MAX_VARYING_COMPONENTS, GL_MAX_VERTEX_OUTPUT_COMPONENTS - 4 and GL_MAX_FRAGMENT_INPUT_COMPONENTS.
  std::int64_t varying_components = 0;
  std::int64_t geometry_output_components = 0;  ///< the same for a geometry shader that emits three vertices
  std::int64_t storage_block_bytes = 0;         ///< GL_MAX_SHADER_STORAGE_BLOCK_SIZE
  std::int64_t shared_bytes = 0;                ///< GL_MAX_COMPUTE_SHARED_MEMORY_SIZE
  bool software = false;                        ///< a CPU draws (llvmpipe, softpipe)
  bool layer_from_vertex_shader = false;        ///< ARB_shader_viewport_layer_array: gl_Layer without a geometry shader
};

/// Asks the current context.
Limits query_limits();
/// Free memory of the current context's device, in bytes; 0: its driver does not say.
std::int64_t free_device_memory();
/// The bytes of GL_DEVICE_UUID_EXT; empty where the current context's driver has none.
std::string device_uuid();

}  // namespace backlit::gl
