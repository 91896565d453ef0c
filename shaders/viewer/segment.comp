#version 450 core
// Tints what belongs to a segment: values of a range, and balls that a brush added or took away, in their order.
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform sampler2D values;
layout(binding = 0, rgba8) uniform image2D shown;
layout(binding = 0, std430) readonly buffer Balls { vec4 balls[]; };  // mm; the radius is negative where taken away

uniform vec2 range;                // of values
uniform int count;                 // of balls
uniform vec3 corner, right, down;  // mm: pixel (0, 0), and from one to the next

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(pixel, imageSize(shown)))) return;
  float value = texelFetch(values, pixel, 0).r;
  bool inside = value >= range.x && value <= range.y;
  vec3 at = corner + float(pixel.x) * right + float(pixel.y) * down;
  for (int i = 0; i < count; ++i)
    if (distance(at, balls[i].xyz) <= abs(balls[i].w)) inside = balls[i].w > 0.0;
  if (!inside) return;
  vec4 color = imageLoad(shown, pixel);
  imageStore(shown, pixel, vec4(mix(color.rgb, vec3(0.10, 0.75, 0.70), 0.45), color.a));
}
