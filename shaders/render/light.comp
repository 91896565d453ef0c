#version 450 core
// Light enters slice `slice` of a grid from the slice before (render/light_field.hpp). One dispatch a slice.
layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 0) uniform sampler3D extinction;
layout(binding = 0, r32f) uniform image3D light;
layout(binding = 1, r32f) readonly uniform image2D before;  // what leaves the slice before
layout(binding = 2, r32f) writeonly uniform image2D after;
uniform int axis, slice, first;      // first: 1 in the slice where light enters
uniform vec4 path;                   // mm through a cell; share that comes anew; spread, cells; weight in `light`
uniform vec2 shift;                  // cells

ivec2 size;

float texel(ivec2 p) {
  return any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size)) ? 1.0 : imageLoad(before, p).r;
}

float light_at(vec2 p) {
  vec2 low = floor(p), w = p - low;
  ivec2 a = ivec2(low);
  return mix(mix(texel(a), texel(a + ivec2(1, 0)), w.x), mix(texel(a + ivec2(0, 1)), texel(a + ivec2(1)), w.x), w.y);
}

void main() {
  ivec3 all = imageSize(light);
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  size = ivec2(all[b], all[c]);
  ivec2 place = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(place, size))) return;
  float came = 1.0;
  if (first == 0) {
    vec2 p = vec2(place) + shift, u = vec2(path.z, 0.0), v = vec2(0.0, path.z);
    came = (2.0 * light_at(p) + light_at(p - u) + light_at(p + u) + light_at(p - v) + light_at(p + v)) / 6.0;
  }
  float here = mix(came, 1.0, path.y);
  ivec3 cell = ivec3(0);
  cell[axis] = slice;
  cell[b] = place.x;
  cell[c] = place.y;
  imageStore(light, cell, vec4(imageLoad(light, cell).r + path.w * here));
  imageStore(after, place, vec4(here * exp(-texelFetch(extinction, cell, 0).r * path.x)));
}
