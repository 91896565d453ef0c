// Packing slices: a texel of the stack holds the voxels of four adjacent slices of the volume. A fragment or invocation
// takes the rays of four adjacent rows of the detector, whose columns are parallel to z. So the four rays meet a slice
// of the stack at one place along u, and one fetch there (interpolated along u by the sampler) serves all four. Each
// ray interpolates along z here. Coordinates and uniforms are those of stack.glsl.
#include "shared/rays.glsl"
#include "shared/narrow.glsl"

#define VALUE vec4
layout(binding = 0) uniform sampler2DArray stack;
uniform vec2 slice_size;  // voxels along u and z
uniform int first_slice;
uniform int from_slice;
uniform int slice_count;
uniform float middle_slice;
uniform float unit;

#include "joseph/four/hardware.glsl"  // or software

// The rays of rows 4 pixel.y to 4 pixel.y + 3.
struct Four {
  Ray one;            // any of them, for the numbers that all share: u and direction
  vec4 at, step;      // along z, at slice s: at + s step
  vec4 weight;        // 0 for rays through another stack, and for rays that miss the slices
  float from, to;     // slices that at least one ray meets; from > to where none does
};

Four four_rays(RayRows r, vec2 pixel) {
  Four f;
  f.at = f.step = f.weight = vec4(0.0);
  f.from = 1.0;
  f.to = 0.0;
  Ray ray;
  float start = float(from_slice) - middle_slice, end = start + float(slice_count - 1);
  for (int row = 0; row < 4; ++row) {
    if (!ray_through(r, pixel_vector(r, vec2(pixel.x, 4.0 * pixel.y + float(row))), ray)) continue;
    float low = start, high = end;
    narrow(ray.at.x, ray.step.x, 0.5 * slice_size.x + 0.5, low, high);
    narrow(ray.at.y, ray.step.y, 0.5 * slice_size.y + 0.5, low, high);
    if (!(low <= high)) continue;
    bool any = f.from <= f.to;
    if (!any) {
      f.at = vec4(ray.at.y);
      f.step = vec4(ray.step.y);
    }
    f.from = any ? min(f.from, low) : low;
    f.to = any ? max(f.to, high) : high;
    f.one = ray;
    f.at[row] = ray.at.y;
    f.step[row] = ray.step.y;
    f.weight[row] = ray.length;
  }
  return f;
}

// Values of the four rays in slice s, counted from the middle and stored in `layer`.
vec4 slice_value(RayRows r, Four f, float s, float layer) {
  vec2 middle = 0.5 * slice_size - 0.5;
  float u = f.one.at.x + s * f.one.step.x + middle.x;
  vec4 z = f.at + s * f.step + middle.y;
  float low = floor(min(min(z.x, z.y), min(z.z, z.w))), high = floor(max(max(z.x, z.y), max(z.z, z.w))) + 1.0;
  int q = int(max(low, 0.0)) >> 2, q_last = int(min(high, slice_size.y - 1.0)) >> 2;
  vec4 value = vec4(0.0);
  for (; q <= q_last; ++q) {
    vec4 four = four_voxels(u, q, layer);
    vec4 place = float(4 * q) + vec4(0.0, 1.0, 2.0, 3.0);
    for (int row = 0; row < 4; ++row) value[row] += dot(four, max(1.0 - abs(z[row] - place), 0.0));
  }
  return slab_share(r, f.one.sense, s) * value;
}
