#version 450 core
// Copies layers of a 2-D array into slices of a 3-D texture, whose texels may be halves (FORMAT).
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray source;
layout(binding = 0, FORMAT) writeonly uniform image3D target;
uniform int first_slice;  // of the volume, that layer 0 of source holds

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p.xy, textureSize(source, 0).xy))) return;
  imageStore(target, p + ivec3(0, 0, first_slice), vec4(texelFetch(source, p, 0).r));
}
