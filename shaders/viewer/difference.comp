#version 450 core
// Difference of two pictures: gray where they agree, warm where the second is brighter, cold where it is darker.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D first;
layout(binding = 1) uniform sampler2D second;
layout(binding = 0, rgba8) writeonly uniform image2D shown;

uniform float gain;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(shown)))) return;
  vec3 difference = texelFetch(second, pixel, 0).rgb - texelFetch(first, pixel, 0).rgb;
  float signed_share = clamp(gain * dot(difference, vec3(0.2126, 0.7152, 0.0722)), -1.0, 1.0);
  vec3 hue = signed_share > 0.0 ? vec3(0.95, 0.45, 0.2) : vec3(0.2, 0.55, 0.95);
  imageStore(shown, pixel, vec4(mix(vec3(0.13), hue, abs(signed_share)), 1.0));
}
