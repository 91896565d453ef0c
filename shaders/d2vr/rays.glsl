// A ray through an object that exists only as projections: MODE 0 mip, 1 average, 2 drr, 3 iso, 4 dvr, as in
// render/volume.glsl (and in render_reference(), with a volume fine enough). SAMPLES points of a ray are reconstructed
// together. The coarse volume shows which samples cannot change the picture (`leaps`, `ranges`). All other samples are
// reconstructed, never interpolated from the coarse volume.
#include "render/camera.glsl"
#include "render/lighting.glsl"
#include "render/span.glsl"
#include "render/transfer.glsl"
#include "d2vr/reconstruct_along.glsl"
#include "d2vr/slopes/stored.glsl"  // or differences

const int refinements = SAMPLES >= 4 ? 1 : SAMPLES == 3 ? 2 : 3;  // brackets shrink to a quarter to an eighth

layout(binding = 3) uniform sampler3D ranges;   // least and largest value of each cell (ranges.comp)
layout(binding = 4) uniform usampler3D leaps;   // cells to the nearest visible one, 0 in those (distance.comp)

uniform vec3 box_low, box_high;     // mm: the shown box
uniform vec4 planes[6];             // the first plane_count: dot(xyz, mm) <= w is shown
uniform int plane_count;
uniform vec3 cells_low, to_cells;   // mm, where the first cell begins; cells a mm
uniform vec4 marching;              // largest step mm; iso; opaque; gradient for full light, 1/mm^2
uniform bool jitter, skip, shaded;
uniform float tolerance;            // mip: cells that surpass what was found by no more than this share of the largest
                                    // value are skipped
layout(std430, binding = 1) readonly buffer Largest { uint largest; };  // bits of that value (ranges.comp)

// A ray and its samples: number k at t = from + (k + phase) h.
struct March {
  Ray ray;
  vec3 entry;         // normal of the face that the ray enters through
  vec3 start, along;  // cell = start + t along
  float from, h, phase;
  int n;
};

float t_of(March m, int k) { return m.from + (float(k) + m.phase) * m.h; }

// No samples (n = 0) where the ray misses the box.
March march(ivec2 pixel) {
  Ray ray = camera_ray(vec2(pixel));
  Span span = Span(ray.nearest, far_away, -ray.direction);
  keep_box(span, box_low, box_high, ray);
  for (int i = 0; i < plane_count; ++i) keep_plane(span, planes[i], ray);
  int n = span.from < span.to ? max(1, int(ceil((span.to - span.from) / marching.x))) : 0;
  return March(ray, span.normal, (ray.origin - cells_low) * to_cells, ray.direction * to_cells, span.from,
               (span.to - span.from) / float(max(n, 1)), jitter ? pixel_noise(pixel) : 0.5, n);
}

// t where the ray leaves the cells that differ from `cell` by at most `reach` along every axis.
float exit_of(March m, ivec3 cell, int reach) {
  vec3 edge = vec3(cell) + mix(vec3(-reach), vec3(reach + 1), greaterThan(m.along, vec3(0.0)));
  vec3 t = mix((edge - m.start) / m.along, vec3(far_away), lessThan(abs(m.along), vec3(1e-12)));
  return min(t.x, min(t.y, t.z));
}

// The first sample from number k on that may change the picture, or n. With mip, cells up to `best` cannot change it.
int next_sample(March m, int k, float best) {
  if (!skip) return k;
  ivec3 last = textureSize(ranges, 0) - 1;
  while (k < m.n) {
    ivec3 cell = clamp(ivec3(floor(m.start + t_of(m, k) * m.along)), ivec3(0), last);
#if MODE == 0
    int leap = texelFetch(ranges, cell, 0).y <= best ? 1 : 0;
#else
    int leap = int(texelFetch(leaps, cell, 0).r);
#endif
    if (leap == 0) break;
    float behind = (exit_of(m, cell, leap - 1) - m.from) / m.h - m.phase;
    k = max(k + 1, int(ceil(min(behind, 1e8) - 1e-3)));
  }
  return k;
}

// Numbers of the next SAMPLES such samples from k on; n stands for none. Moves k behind them.
void gather(March m, inout int k, float best, out int number[SAMPLES]) {
  for (int s = 0; s < SAMPLES; ++s) {
    k = next_sample(m, k, best);
    number[s] = min(k, m.n);
    k = min(k + 1, m.n);
  }
}

#if MODE == 3
// The surface between `before`, where the value is below iso, and `at`, where it is `value`. Divides the bracket into
// SAMPLES parts at once, instead of halves one after the other, and the last part by a line. Where the ray enters the
// box or a clip plane inside the object, the surface is that cut.
vec4 surface(March m, float before, float at, float value) {
  float iso = marching.y, below = iso;
  for (int pass = 0; pass < refinements; ++pass) {
    float t[SAMPLES], f[SAMPLES], width = (at - before) / float(SAMPLES);
    for (int s = 0; s < SAMPLES; ++s) t[s] = before + float(s) * width;
    reconstruct_along(m.ray.origin, m.ray.direction, t, f);
    if (pass == 0 && before == m.from && f[0] >= iso) return vec4(m.entry, m.from);
    float found = at, found_value = value;
    for (int s = SAMPLES - 1; s >= 0; --s)
      if (f[s] >= iso) {
        found = t[s];
        found_value = f[s];
      }
    below = found_value;
    for (int s = 0; s < SAMPLES; ++s)
      if (t[s] < found) {
        before = t[s];
        below = f[s];
      }
    at = found;
    value = found_value;
  }
  float share = below < iso && value > below ? (iso - below) / (value - below) : 1.0;
  float t = mix(before, at, share);
  vec3 g = reconstruct_slopes(m.ray.origin + t * m.ray.direction).xyz;
  return vec4(g == vec3(0.0) ? -m.ray.direction : -normalize(g), t);
}

// Rays of a work group find their surfaces at different times. The search ends for all of them before any is refined,
// so that they refine together.
vec4 trace(March m) {
  int k = 0;
  float before = 0.0, at = far_away, value = 0.0;
  while (k < m.n) {
    int number[SAMPLES];
    float t[SAMPLES], f[SAMPLES];
    gather(m, k, 0.0, number);
    if (number[0] == m.n) break;
    for (int s = 0; s < SAMPLES; ++s) t[s] = t_of(m, number[s]);
    reconstruct_along(m.ray.origin, m.ray.direction, t, f);
    for (int s = SAMPLES - 1; s >= 0; --s)
      if (number[s] < m.n && f[s] >= marching.y) {
        at = t[s];
        before = number[s] == 0 ? m.from : at - m.h;
        value = f[s];
      }
    if (at < far_away) break;
  }
  return at < far_away ? surface(m, before, at, value) : vec4(0.0);
}
#endif

#if MODE == 4
// Premultiplied colour and opacity of a step; `sample_` is gradient and value. Values are taken to rise evenly along it.
vec4 seen(vec4 sample_, vec3 direction, float h) {
  float rise = 0.5 * h * dot(sample_.xyz, direction);
  vec4 c = classify_between(sample_.w - rise, sample_.w + rise);
  float size = length(sample_.xyz);
  if (shaded && size > 0.0)
    c.rgb = mix(c.rgb, lit(c.rgb, -sample_.xyz / size, direction, to_light.xyz), min(1.0, size / marching.w));
  return vec4(c.rgb, 1.0) * stopped(c.a, h);
}

vec4 trace(March m) {
  vec4 so_far = vec4(0.0);
  int k = 0;
  while (k < m.n && so_far.a < marching.z) {
    int number[SAMPLES];
    float t[SAMPLES];
    vec4 at[SAMPLES];  // gradient and value
    gather(m, k, 0.0, number);
    if (number[0] == m.n) break;
    for (int s = 0; s < SAMPLES; ++s) t[s] = t_of(m, number[s]);
    reconstruct_slopes_along(m.ray.origin, m.ray.direction, t, at);
    for (int s = 0; s < SAMPLES; ++s) {
      if (number[s] == m.n || so_far.a >= marching.z) break;
      so_far += (1.0 - so_far.a) * seen(at[s], m.ray.direction, m.h);
    }
  }
  return so_far;
}
#endif

#if MODE <= 2
// MODE 0: the first sample in the cell whose values are the largest along the ray: from there the ray begins, since all
// cells whose values cannot reach what it finds are leapt over.
int likely_peak(March m) {
  ivec3 last = textureSize(ranges, 0) - 1;
  float most = -far_away;
  int peak = 0;
  for (int k = 0; k < m.n;) {
    ivec3 cell = clamp(ivec3(floor(m.start + t_of(m, k) * m.along)), ivec3(0), last);
    vec2 range = texelFetch(ranges, cell, 0).xy;
    if (range.x + range.y > most) {
      most = range.x + range.y;
      peak = k;
    }
    float behind = (exit_of(m, cell, 0) - m.from) / m.h - m.phase;
    k = max(k + 1, int(ceil(min(behind, 1e8) - 1e-3)));
  }
  return peak;
}

vec4 trace(March m) {
  if (m.n == 0) return vec4(0.0);
  float best = -far_away, sum = 0.0;
  float least_gain = MODE == 0 ? tolerance * uintBitsToFloat(largest) : 0.0;
  int k = MODE == 0 && skip ? likely_peak(m) : 0, rounds = 0;
  while (k < m.n) {
    int number[SAMPLES];
    float t[SAMPLES], f[SAMPLES];
    gather(m, k, best + least_gain, number);
    if (number[0] == m.n) break;
    for (int s = 0; s < SAMPLES; ++s) t[s] = t_of(m, number[s]);
    reconstruct_along(m.ray.origin, m.ray.direction, t, f);
    for (int s = 0; s < SAMPLES; ++s)
      if (number[s] < m.n) {
        best = max(best, f[s]);
        sum += f[s];
      }
    if (MODE == 0 && skip && rounds++ == 0) k = 0;
  }
  return vec4(MODE == 0 ? best : MODE == 1 ? sum / float(m.n) : sum * m.h, 1.0, 0.0, 0.0);
}
#endif
