// A ray through a 3-D texture: MODE 0 mip, 1 average, 2 drr, 3 iso, 4 dvr (defined in
// backlit/render/volume_rendering.hpp; render_reference() is the same in double precision). A volume of several
// textures is passed tile by tile, front to back. Samples stand at the same places of the ray for all tiles, and
// `found` carries the result so far.
#include "render/camera.glsl"
#include "render/lighting.glsl"
#include "render/span.glsl"
#include "render/transfer.glsl"

#include "render/volume_values.glsl"
#include "render/light.glsl"

layout(binding = 1) uniform usampler3D leaps;  // bricks to the nearest visible one, 0 in those (distance.comp)
layout(binding = 3) uniform sampler3D bricks;  // least, largest
layout(binding = 0, rgba32f) uniform image2D found;

Span shown_part(Ray ray) {
  Span span = Span(ray.nearest, far_away, -ray.direction);
  keep_box(span, box_low.xyz, box_high.xyz, ray);
  for (int i = 0; i < last_brick.w; ++i) keep_plane(span, planes[i], ray);
  return span;
}

// A ray in texels, and its samples: number k at t = from + (k + phase) h.
struct March {
  vec3 start, along;  // texel = start + t along
  float from, h, phase;
};

float t_of(March m, int k) { return m.from + (float(k) + m.phase) * m.h; }
vec3 texel_of(March m, float t) { return m.start + t * m.along; }

// The first sample at or behind t; where rounding could decide, the one before.
int sample_behind(March m, float t) { return int(ceil(clamp((t - m.from) / m.h, -1.0, 1e8) - m.phase - 1e-3)); }

// t where the ray leaves the bricks that differ from `brick` by at most `reach` along every axis.
float exit_of(March m, ivec3 brick, int reach) {
  vec3 edge = vec3((brick + ivec3(reach + 1)) * BRICK);
  vec3 low_edge = vec3((brick - ivec3(reach)) * BRICK);
  vec3 t = vec3(far_away);
  for (int a = 0; a < 3; ++a)
    if (abs(m.along[a]) > 1e-12) t[a] = ((m.along[a] > 0.0 ? edge[a] : low_edge[a]) - m.start[a]) / m.along[a];
  return min(t.x, min(t.y, t.z));
}

ivec3 brick_of(vec3 texel) { return clamp(ivec3(floor(texel / float(BRICK))), ivec3(0), last_brick.xyz); }

#if MODE == 3
uniform int bisections;

// The surface between `before`, where the value is below iso, and `at`, where it is not (t of the ray).
vec4 surface(March m, Ray ray, Span span, float before, float at) {
  float iso = marching.y;
  if (before == span.from && value_at(texel_of(m, before)) >= iso)
    return vec4(lit_normal(ray.origin + before * ray.direction, span.normal), span.from);
  for (int i = 0; i < bisections; ++i) {
    float middle = 0.5 * (before + at);
    if (value_at(texel_of(m, middle)) >= iso) at = middle; else before = middle;
  }
  vec3 g = gradient_at(texel_of(m, at));
  vec3 normal = g == vec3(0.0) ? -ray.direction : -normalize(g);
  return vec4(lit_normal(ray.origin + at * ray.direction, normal), at);
}
#endif

#if MODE == 4
// Premultiplied colour and opacity of a step about `texel` on which values go from `first` to `last`.
vec4 seen(vec3 texel, float first, float last, Ray ray, float h) {
  vec4 c = classify_between(first, last);
  float value = 0.5 * (first + last);
  bool boxed = boxes > 0 && in_a_box(value);
  if (c.a <= 0.0 && !boxed) return vec4(0.0);
  if (boxed || switches.w != 0 || lighting.xyz != vec3(0.0)) {
    vec3 g = gradient_at(texel), outward = vec3(0.0);
    float size = length(g), strength = min(1.0, size / marching.w);
    c = with_boxes(c, value, size);
    c.a *= gradient_share(size);
    if (size > 0.0) {
      outward = -g * (strength / size);
      if (switches.w != 0) c.rgb = mix(c.rgb, lit(c.rgb, -g / size, ray.direction, to_light.xyz), strength);
    }
    if (has_light_field()) c.rgb *= arriving((texel - texel_offset.xyz) / to_texels.xyz, outward);
  }
  return vec4(c.rgb, 1.0) * stopped(c.a, h);
}
#endif

void trace(ivec2 pixel) {
  Ray ray = camera_ray(vec2(pixel));
  Span span = shown_part(ray);
  bool first_tile = switches.x != 0;
  if (!(span.from < span.to)) {
    if (first_tile) imageStore(found, pixel, vec4(0.0));
    return;
  }
  float len = span.to - span.from;
  int n = max(1, int(ceil(len / marching.x)));
  March m = March(ray.origin * to_texels.xyz + texel_offset.xyz, ray.direction * to_texels.xyz, span.from,
                  len / float(n), switches.y != 0 ? pixel_noise(pixel) : 0.5);
  vec4 so_far = first_tile ? vec4(0.0) : imageLoad(found, pixel);

  int k = 0, end = n;
#if TILED
  Span own = Span(-far_away, far_away, vec3(0.0));
  keep_box(own, tile_low.xyz, tile_high.xyz, ray);
  k = max(0, int(ceil((max(own.from, span.from) - m.from) / m.h - m.phase)));
  end = min(n, int(ceil((min(own.to, span.to) - m.from) / m.h - m.phase)));
#endif

#if MODE == 0
  float best = first_tile ? -far_away : so_far.x;
#elif MODE <= 2
  float sum = 0.0;
#elif MODE == 3
  if (so_far.xyz != vec3(0.0)) return;
#else
  float last = 0.0;  // the value at the end of the step before number ends_at
  int ends_at = -1;
#endif

  int brick_end = k;  // first sample behind the present brick
  bool skip = switches.z != 0;
  while (k < end) {
    vec3 texel = texel_of(m, t_of(m, k));
    if (skip && k >= brick_end) {
      ivec3 brick = brick_of(texel);
#if MODE == 0
      int leap = texelFetch(bricks, brick, 0).y <= best ? 1 : 0;
#else
      int leap = int(texelFetch(leaps, brick, 0).r);
#endif
      brick_end = max(k + 1, sample_behind(m, exit_of(m, brick, max(leap - 1, 0))));
      if (leap > 0) {
        k = brick_end;
        continue;
      }
    }
#if MODE == 0
    best = max(best, value_at(texel));
#elif MODE <= 2
    sum += value_at(texel);
#elif MODE == 3
    if (value_at(texel) >= marching.y) {
      so_far = surface(m, ray, span, k == 0 ? span.from : t_of(m, k - 1), t_of(m, k));
      break;
    }
#else
    if (so_far.a >= marching.z) break;
    vec3 half_step = 0.5 * m.h * m.along;
    if (k != ends_at) last = value_at(texel - half_step);  // else the step before ended with it
    float first = last;
    last = value_at(texel + half_step);
    ends_at = k + 1;
    so_far += (1.0 - so_far.a) * seen(texel, first, last, ray, m.h);
#endif
    ++k;
  }

#if MODE == 0
  so_far = vec4(best, 1.0, 0.0, 0.0);
#elif MODE == 1
  so_far = vec4(so_far.x + sum / float(n), 1.0, 0.0, 0.0);
#elif MODE == 2
  so_far = vec4(so_far.x + sum * m.h, 1.0, 0.0, 0.0);
#endif
  imageStore(found, pixel, so_far);
}
