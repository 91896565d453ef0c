#version 450 core
// Copies one filtered view into its layers: values times `scale`, and with SLOPES (q, dq/dcolumn, dq/drow) by central
// differences. Values outside the view are zero.
#include "shared/nearest_half.glsl"
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray source;
layout(binding = 0, FORMAT) writeonly uniform image2DArray values;
#ifdef SLOPES
layout(binding = 1, rgba16f) writeonly uniform image2DArray slopes;
#endif
uniform int source_layer, target_layer;
uniform float scale;

float at(ivec2 p) {
  ivec2 size = textureSize(source, 0).xy;
  bool inside = all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, size));
  return inside ? scale * texelFetch(source, ivec3(p, source_layer), 0).r : 0.0;
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, textureSize(source, 0).xy))) return;
  float q = at(p);
  imageStore(values, ivec3(p, target_layer), vec4(HALVES ? nearest_half(q) : q));
#ifdef SLOPES
  float along_u = 0.5 * (at(p + ivec2(1, 0)) - at(p - ivec2(1, 0)));
  float along_v = 0.5 * (at(p + ivec2(0, 1)) - at(p - ivec2(0, 1)));
  imageStore(slopes, ivec3(p, target_layer), vec4(nearest_half(q), nearest_half(along_u), nearest_half(along_v), 0.0));
#endif
}
