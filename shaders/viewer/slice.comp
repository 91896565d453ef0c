#version 450 core
// Values of a plane as colours; transparent where the plane leaves the volume's box.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D values;
layout(binding = 1) uniform sampler2D color_map;  // one row
layout(binding = 0, rgba8) writeonly uniform image2D shown;

uniform vec4 window;               // low, 1 / (high - low), and what the colour map's coordinate needs: scale, offset
uniform int fade;                  // whether colours of the window's lower end are clear
uniform vec3 corner, right, down;  // pixel (0, 0), and from one to the next; the box is 0 to 1

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(shown)))) return;
  vec3 at = corner + float(pixel.x) * right + float(pixel.y) * down;
  float inside = all(greaterThanEqual(at, vec3(0.0))) && all(lessThanEqual(at, vec3(1.0))) ? 1.0 : 0.0;
  float share = clamp((texelFetch(values, pixel, 0).r - window.x) * window.y, 0.0, 1.0);
  if (fade == 1) inside *= min(4.0 * share, 1.0);
  imageStore(shown, pixel, vec4(textureLod(color_map, vec2(share * window.z + window.w, 0.5), 0.0).rgb, inside));
}
