#version 450 core
// From orbits (channel j is voxel j) to a linear slice stack: overwrites or accumulates.
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray orbits;
layout(binding = 0, r32f) uniform image2DArray volume;
uniform int n;
uniform float unit;
uniform int accumulate;

void main() {
  ivec3 texel = ivec3(gl_GlobalInvocationID);
  if (texel.x >= n || texel.y >= n) return;
  // Twice the offset from the axis, then turned back into the quadrant x >= 0, y > 0 (or the axis itself).
  ivec2 x = 2 * texel.xy - (n - 1);
  int j = 0;
  for (; j < 3 && !(x.x >= 0 && x.y > 0) && x != ivec2(0); ++j) x = ivec2(x.y, -x.x);
  ivec2 p = (x - 1 + (n & 1)) / 2;
  float value = unit * texelFetch(orbits, ivec3(p, texel.z), 0)[j];
  if (accumulate != 0) value += imageLoad(volume, texel).r;
  imageStore(volume, texel, vec4(value));
}
