// The volume as slices perpendicular to one axis, and the sum along a ray over those of one texture.
#include "project/rays.glsl"
#include "shared/sample_view.glsl"

layout(binding = 0) uniform sampler2DArray stack;
uniform vec2 slice_size;      // voxels along u and v
uniform int first_slice;      // of the volume, that layer 0 holds
uniform int slice_count;
uniform float middle_slice;

// From voxels about the middle to what sample_view() takes.
#ifdef SAMPLE_EXACT
#define SCALE vec2(1.0)
#define SHIFT (0.5 * slice_size - 0.5)
#else
#define SCALE (1.0 / slice_size)
#define SHIFT vec2(0.5)
#endif

// Narrows [from, to] to the slices that the ray meets where |at + s step| < reach.
void narrow(float at, float step, float reach, inout float from, inout float to) {
  if (step == 0.0) {
    if (abs(at) >= reach) to = from - 1.0;
    return;
  }
  float low = (-reach - at) / step, high = (reach - at) / step;
  from = max(from, min(low, high));
  to = min(to, max(low, high));
}

float line_integral(RayRows r, vec2 pixel) {
  Ray ray;
  if (!ray_through(r, pixel_vector(r, pixel), ray)) return 0.0;
  float from = float(first_slice) - middle_slice, to = from + float(slice_count - 1);
  narrow(ray.at.x, ray.step.x, 0.5 * slice_size.x + 0.5, from, to);
  narrow(ray.at.y, ray.step.y, 0.5 * slice_size.y + 0.5, from, to);
  if (!(from <= to)) return 0.0;
  int first = int(ceil(from + middle_slice)), last = int(floor(to + middle_slice));
  vec2 at = ray.at * SCALE + SHIFT, step = ray.step * SCALE;
  float sum = 0.0;
  for (int i = first; i <= last; ++i) {
    float s = float(i) - middle_slice;
    sum += slab_share(r, ray.sense, s) * sample_view(stack, at + s * step, 1.0 / slice_size, float(i - first_slice));
  }
  return sum * ray.length;
}
