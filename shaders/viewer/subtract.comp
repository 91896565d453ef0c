#version 450 core
// The second slice's values minus the first's.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D first;
layout(binding = 1) uniform sampler2D second;
layout(binding = 0, r32f) writeonly uniform image2D shown;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(shown)))) return;
  float difference = texelFetch(second, pixel, 0).r - texelFetch(first, pixel, 0).r;
  imageStore(shown, pixel, vec4(difference));
}
