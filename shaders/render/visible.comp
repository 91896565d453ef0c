#version 450 core
// Marks visible bricks: 0 in those, FARTHEST in the others. MODE as in volume.glsl.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(binding = 0) uniform sampler3D bricks;  // least, largest
layout(binding = 0, r8ui) writeonly uniform uimage3D leaps;
// dvr: for each of `entries` equal parts of the transfer function's range, the number of parts before it that absorb
// light.
layout(std430, binding = 0) readonly buffer Visible { uint visible_before[]; };
uniform vec4 range;  // dvr: low, parts per value, absorbs light below (0 or 1), above; else x: iso
uniform int entries;

bool can_be_seen(float least, float most) {
#if MODE == 4
  float low = (least - range.x) * range.y, high = (most - range.x) * range.y, n = float(entries);
  if ((low < 0.0 && range.z > 0.0) || (high > n && range.w > 0.0)) return true;
  // One part more on both sides, for rounding.
  int from = int(clamp(floor(low) - 1.0, 0.0, n)), to = int(clamp(floor(high) + 2.0, 0.0, n));
  return visible_before[to] > visible_before[from];
#elif MODE == 3
  return most >= range.x;
#else
  return least != 0.0 || most != 0.0;
#endif
}

void main() {
  ivec3 brick = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(brick, imageSize(leaps)))) return;
  vec2 r = texelFetch(bricks, brick, 0).xy;
  // Written so that a brick with NaN counts as visible.
  bool hidden = r.x <= r.y && !can_be_seen(r.x, r.y);
  imageStore(leaps, brick, uvec4(hidden ? FARTHEST : 0));
}
