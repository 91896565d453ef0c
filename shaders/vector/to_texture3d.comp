#version 450 core
// Copies a box of layers of a 2-D array into a 3-D texture, whose texels may be halves (FORMAT).
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray source;
layout(binding = 0, FORMAT) writeonly uniform image3D target;
uniform ivec2 origin;       // column and row of the source for texel (0, 0)
uniform ivec2 first_slice;  // first layer of the source, and its slice in the target

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p.xy, imageSize(target).xy))) return;
  float value = texelFetch(source, p + ivec3(origin, first_slice.x), 0).r;
  imageStore(target, p + ivec3(0, 0, first_slice.y), vec4(value));
}
