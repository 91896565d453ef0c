// Packing slices: a texel of the stack holds the voxels of four adjacent slices of the volume, and a fragment or
// invocation takes the rays of four adjacent rows of the detector. Its columns are parallel to z, so that the four meet a
// slice of the stack at one place along u, a fetch there (interpolated along u by the sampler) serves them all, and each
// interpolates along z here. Coordinates and uniforms are those of stack.glsl.
#include "project/rays.glsl"
#include "project/narrow.glsl"

#define VALUE vec4
layout(binding = 0) uniform sampler2DArray stack;
uniform vec2 slice_size;  // voxels along u and z
uniform int first_slice;
uniform int from_slice;
uniform int slice_count;
uniform float middle_slice;
uniform float unit;

// Voxels 4 quarter to 4 quarter + 3 along z.
vec4 four_voxels(float u, int quarter, float layer) {
#ifdef SAMPLE_EXACT
  float below = floor(u), last = slice_size.x - 1.0;
  ivec3 at = ivec3(below, quarter, layer);
  vec4 low = below == clamp(below, 0.0, last) ? texelFetch(stack, at, 0) : vec4(0.0);
  vec4 high = below + 1.0 == clamp(below + 1.0, 0.0, last) ? texelFetch(stack, at + ivec3(1, 0, 0), 0) : vec4(0.0);
  return mix(low, high, u - below);
#else
  return textureLod(stack, vec3((u + 0.5) / slice_size.x, (float(quarter) + 0.5) / float(textureSize(stack, 0).y), layer),
                    0.0);
#endif
}

// Of rows 4 pixel.y to 4 pixel.y + 3.
vec4 line_integral(RayRows r, vec2 pixel) {
  Ray ray, ours;
  vec4 at = vec4(0.0), step = vec4(0.0), weight = vec4(0.0);
  bool any = false;
  float from = 1.0, to = 0.0, start = float(from_slice) - middle_slice, end = start + float(slice_count - 1);
  for (int row = 0; row < 4; ++row) {
    if (!ray_through(r, pixel_vector(r, vec2(pixel.x, 4.0 * pixel.y + float(row))), ray)) continue;
    float low = start, high = end;
    narrow(ray.at.x, ray.step.x, 0.5 * slice_size.x + 0.5, low, high);
    narrow(ray.at.y, ray.step.y, 0.5 * slice_size.y + 0.5, low, high);
    if (!(low <= high)) continue;
    from = any ? min(from, low) : low;
    to = any ? max(to, high) : high;
    if (!any) {
      at = vec4(ray.at.y);
      step = vec4(ray.step.y);
    }
    ours = ray;
    any = true;
    at[row] = ray.at.y;
    step[row] = ray.step.y;
    weight[row] = ray.length;
  }
  if (!any) return vec4(0.0);
  float s = ceil(from + middle_slice) - middle_slice, last = floor(to + middle_slice) - middle_slice;
  vec2 middle = 0.5 * slice_size - 0.5;
  vec4 sum = vec4(0.0);
  for (; s <= last; s += 1.0) {
    float u = ours.at.x + s * ours.step.x + middle.x;
    vec4 z = at + s * step + middle.y;
    float low = floor(min(min(z.x, z.y), min(z.z, z.w))), high = floor(max(max(z.x, z.y), max(z.z, z.w))) + 1.0;
    int q = int(max(low, 0.0)) >> 2, q_last = int(min(high, slice_size.y - 1.0)) >> 2;
    vec4 value = vec4(0.0);
    for (; q <= q_last; ++q) {
      vec4 four = four_voxels(u, q, s + middle_slice - float(first_slice));
      vec4 place = float(4 * q) + vec4(0.0, 1.0, 2.0, 3.0);
      for (int row = 0; row < 4; ++row) value[row] += dot(four, max(1.0 - abs(z[row] - place), 0.0));
    }
    sum += slab_share(r, ours.sense, s) * value;
  }
  return sum * weight * unit;
}
