#version 450 core
// Turns a volume of slices along z into slices along x (axis 0: columns y, rows z) or y (axis 1: columns x, rows z).
// ORBIT: along x with the four voxels of a quarter-turn orbit in a texel (engine/projector/orbit.hpp). FORMAT is the
// target's. Of each 16 invocations in a row, reads are neighbours when slices are along x, writes otherwise.
layout(local_size_x = 16, local_size_z = 16) in;
#include "shared/nearest_half.glsl"

layout(binding = 0) uniform sampler2DArray volume;
layout(binding = 0, FORMAT) writeonly uniform image2DArray stack;
uniform int axis;
uniform int first_slice;  // that layer 0 of the stack holds
uniform int first_z;      // that layer 0 of the volume's texture holds
uniform float per_unit;

float value_at(int x, int y, int z) {
  float value = texelFetch(volume, ivec3(x, y, z), 0).r * per_unit;
#ifdef HALF
  value = nearest_half(value);
#endif
  return value;
}

void main() {
  ivec3 size = imageSize(stack);
  ivec2 base = ivec2(gl_WorkGroupID.xz) * 16, lane = ivec2(gl_LocalInvocationID.xz);
  ivec2 at = base + (axis == 0 ? lane.yx : lane);  // column, layer
  if (any(greaterThanEqual(at, size.xz))) return;
  int z = int(gl_GlobalInvocationID.y), slice = first_slice + at.y;
#ifdef ORBIT
  int x = slice, y = at.x, last = size.x - 1;
  vec4 value = vec4(value_at(x, y, z), value_at(last - y, x, z), value_at(last - x, last - y, z),
                    value_at(y, last - x, z));
#else
  vec4 value = vec4(axis == 0 ? value_at(slice, at.x, z) : value_at(at.x, slice, z));
#endif
  imageStore(stack, ivec3(at.x, first_z + z, at.y), value);
}
