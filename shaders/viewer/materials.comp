#version 450 core
// Tints values that belong to a material with its colour.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D values;
layout(binding = 0, rgba8) uniform image2D shown;
struct Range {
  vec4 values;  // from, to, how much of the colour
  vec4 color;
};
layout(binding = 0, std430) readonly buffer Materials { Range materials[]; };
uniform int count;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(shown)))) return;
  float value = texelFetch(values, pixel, 0).r;
  vec4 color = imageLoad(shown, pixel);
  for (int i = 0; i < count; ++i)
    if (value >= materials[i].values.x && value < materials[i].values.y)
      color.rgb = mix(color.rgb, materials[i].color.rgb, materials[i].values.z);
  imageStore(shown, pixel, color);
}
