#version 450 core
// Turns a volume of slices along z into slices along x (axis 0: columns y, rows z) or y (axis 1: columns x, rows z).
// ROWS: four voxels above each other share a texel. ORBIT: slices along x with the four voxels of a quarter-turn orbit
// in a texel (engine/projectors/voxel_driven/orbit.hpp). FORMAT is the target's. Rows of 32 invocations read neighbours
// along x. Where these go to 32 layers, the group's tile is transposed in shared memory first, so that invocations
// write neighbours too.
layout(local_size_x = 32, local_size_y = 8) in;
#include "shared/storage/float.glsl"  // or half

layout(binding = 0) uniform sampler2DArray volume;
layout(binding = 0, FORMAT) writeonly uniform image2DArray stack;
uniform int axis;
uniform int first_slice;  // slice in layer 0 of the stack
uniform int first_z;      // slice in layer 0 of the volume's texture
uniform int first_row;    // row of the stack where the first work groups begin
uniform float per_unit;

#if defined(ORBIT) || defined(ROWS)
#define VALUE vec4
#else
#define VALUE float
#endif
shared VALUE tile[32][33];

float fetch(int x, int y, int z) { return stored(texelFetch(volume, ivec3(x, y, z), 0).r * per_unit); }

VALUE value_at(int x, int y, int z) {
#ifdef ORBIT
  int last = imageSize(stack).x - 1;
  return vec4(fetch(x, y, z), fetch(last - y, x, z), fetch(last - x, last - y, z), fetch(y, last - x, z));
#elif defined(ROWS)
  vec4 four = vec4(0.0);
  for (int c = 0; c < 4 && 4 * z + c < textureSize(volume, 0).z; ++c) four[c] = fetch(x, y, 4 * z + c);
  return four;
#else
  return fetch(x, y, z);
#endif
}

void main() {
  int z = first_row + int(gl_WorkGroupID.y);
  ivec2 base = ivec2(gl_WorkGroupID.xz) * 32, lane = ivec2(gl_LocalInvocationID.xy);  // base: column, layer
  ivec3 size = imageSize(stack);
  if (axis == 0) {
    for (int i = lane.y; i < 32; i += 8) tile[i][lane.x] = value_at(first_slice + base.y + lane.x, base.x + i, z);
    barrier();
  }
  for (int i = lane.y; i < 32; i += 8) {
    ivec2 at = base + ivec2(lane.x, i);
    if (any(greaterThanEqual(at, size.xz))) continue;
    VALUE value = axis == 0 ? tile[lane.x][i] : value_at(at.x, first_slice + at.y, z);
    imageStore(stack, ivec3(at.x, first_z + z, at.y), vec4(value));
  }
}
