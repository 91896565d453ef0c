#version 450 core
// What keeps light from passing the cells of a coarse grid over a volume: the mean of the extinction at eight points of
// each cell. MODE 3 iso, 4 dvr. Of several tiles each writes the cells whose middle is its own.
#include "render/transfer.glsl"
#include "render/volume_values.glsl"

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 0, r32f) writeonly uniform image3D extinction;

bool is_shown(vec3 point) {
  if (any(lessThan(point, box_low.xyz)) || any(greaterThan(point, box_high.xyz))) return false;
  for (int i = 0; i < last_brick.w; ++i)
    if (dot(planes[i].xyz, point) > planes[i].w) return false;
  return true;
}

float extinction_at(vec3 point) {
  if (!is_shown(point)) return 0.0;
  vec3 texel = point * to_texels.xyz + texel_offset.xyz;
#if MODE == 3
  return value_at(texel) >= marching.y ? per_box.w : 0.0;
#else
  float value = value_at(texel);
  vec4 c = classify(value);
  bool boxed = in_a_box(value);
  if (!boxed && (c.a <= 0.0 || lighting.x <= 0.0)) return c.a;
  float gradient = length(gradient_at(texel));
  return with_boxes(c, value, gradient).a * gradient_share(gradient);
#endif
}

void main() {
  ivec3 cell = ivec3(gl_GlobalInvocationID), size = imageSize(extinction);
  if (any(greaterThanEqual(cell, size))) return;
  vec3 middle = (vec3(cell) + 0.5 - 0.5 * vec3(size)) * light_cells.xyz;
  if (any(lessThan(middle, tile_low.xyz)) || any(greaterThanEqual(middle, tile_high.xyz))) return;
  float sum = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    vec3 side = vec3(corner & 1, (corner >> 1) & 1, corner >> 2) - 0.5;
    sum += extinction_at(middle + 0.5 * side * light_cells.xyz);
  }
  imageStore(extinction, cell, vec4(sum / 8.0));
}
