#version 450 core
// From the results of rays to the picture that is shown. KIND: 0 values (value, covered), 1 colours (premultiplied,
// opacity), 2 surfaces (normal, as long as the share of light that arrives, distance from the reference plane; normal 0
// where there is none).
#include "render/camera.glsl"
#include "render/lighting.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D found;
layout(binding = 1) uniform sampler2D color_map;  // one row
layout(binding = 0, rgba8) writeonly uniform image2D shown;

uniform vec4 window;  // low, 1 / (high - low), and for the colour map's coordinate: scale, offset
uniform vec3 background, surface_color;
uniform int clear;  // 1: transparent where rays found nothing, or values up to the window's low end

vec4 finish(ivec2 pixel) {
  vec4 nothing = vec4(background, clear == 1 ? 0.0 : 1.0);
  vec4 f = texelFetch(found, pixel, 0);
#if KIND == 0
  if (f.y == 0.0 || (clear == 1 && f.x <= window.x)) return nothing;
  float share = clamp((f.x - window.x) * window.y, 0.0, 1.0);
  return vec4(textureLod(color_map, vec2(share * window.z + window.w, 0.5), 0.0).rgb, 1.0);
#elif KIND == 1
  if (clear == 1) return vec4(f.rgb / max(f.a, 1e-6), f.a);
  return vec4(f.rgb + (1.0 - f.a) * background, 1.0);
#else
  if (f.xyz == vec3(0.0)) return nothing;
  float arriving = length(f.xyz);
  return vec4(arriving * lit(surface_color, f.xyz / arriving, camera_ray(vec2(pixel)).direction, to_light.xyz), 1.0);
#endif
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (in_picture(pixel)) imageStore(shown, pixel, finish(pixel));
}
