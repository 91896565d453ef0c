// Ray casting through slices along z: samples of two slices, with the third interpolation here.
#include "shared/sample/hardware.glsl"  // or software

layout(binding = 0) uniform sampler2DArray volume;

// Layers outside are zero, where a sampler would take the nearest layer.
float layer_value(vec2 at, float slice) {
  return slice >= 0.0 && slice < brick_size.z ? sample_view(volume, at, 1.0 / brick_size.xy, slice) : 0.0;
}

/// At a voxel index of the grid.
float value_at(vec3 at) {
  at -= brick_first;
  float slice = floor(at.z), t = at.z - slice;
  at.xy = from_pixels(at.xy, brick_size.xy);
  float lower = layer_value(at.xy, slice), upper = layer_value(at.xy, slice + 1.0);
  return mix(lower, upper, t);
}

#include "raycast/line_integral.glsl"
