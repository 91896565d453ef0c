#version 450 core
// One axis of the Chebyshev distance (along the farthest axis), in bricks, to the nearest visible brick. Three passes,
// one per axis, give the whole distance (Deakin and Knackstedt, "Accelerated volume rendering with Chebyshev distance
// maps", SIGGRAPH Asia 2019 technical briefs).
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(binding = 0) uniform usampler3D before;
layout(binding = 0, r8ui) writeonly uniform uimage3D after;
uniform int axis;

void main() {
  ivec3 brick = ivec3(gl_GlobalInvocationID), size = imageSize(after);
  if (any(greaterThanEqual(brick, size))) return;
  ivec3 step = ivec3(axis == 0, axis == 1, axis == 2);
  uint best = texelFetch(before, brick, 0).r;
  for (int d = 1; uint(d) < best; ++d) {
    if (brick[axis] >= d) best = min(best, max(uint(d), texelFetch(before, brick - d * step, 0).r));
    if (brick[axis] + d < size[axis]) best = min(best, max(uint(d), texelFetch(before, brick + d * step, 0).r));
  }
  imageStore(after, brick, uvec4(best));
}
