#version 450 core
// One number from each block of `block_size` consecutive texels of a layer, in double and in a fixed order, so that
// results repeat bit for bit. VALUE is a texel's value (from x and y), JOIN(s, t) joins two values, NOTHING is its
// neutral element. The host joins the blocks.
layout(local_size_x = 256) in;

layout(binding = 0) uniform sampler2DArray first;
layout(binding = 1) uniform sampler2DArray second;
layout(std430, binding = 0) writeonly buffer Partial { double partial[]; };
uniform int block_size;
uniform int blocks;      // in a layer
uniform int first_block; // of this texture, in partial[]

shared double s[256];

void main() {
  ivec2 size = textureSize(first, 0).xy;
  int lane = int(gl_LocalInvocationID.x), layer = int(gl_WorkGroupID.y), block = int(gl_WorkGroupID.x);
  double sum = NOTHING;
  for (int i = lane; i < block_size; i += 256) {
    int texel = block * block_size + i;
    if (texel >= size.x * size.y) break;
    ivec3 p = ivec3(texel % size.x, texel / size.x, layer);
    double x = double(texelFetch(first, p, 0).r);
    double y = double(texelFetch(second, p, 0).r);
    sum = JOIN(sum, VALUE);
  }
  s[lane] = sum;
  barrier();
  for (int half_width = 128; half_width > 0; half_width >>= 1) {
    if (lane < half_width) s[lane] = JOIN(s[lane], s[lane + half_width]);
    barrier();
  }
  if (lane == 0) partial[first_block + layer * blocks + block] = s[0];
}
