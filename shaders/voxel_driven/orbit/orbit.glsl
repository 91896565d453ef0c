// Quarter-turn orbits (Mueller & Xu's projection packing): the voxels (x, y), (-y, x), (-x, -y), (y, -x) are seen by
// the views at phi, phi + 90, phi + 180, phi + 270 degrees at the same position. With a = x cos + y sin and b = y cos -
// x sin, the four voxels have (a, b), (-b, a), (-a, -b), (b, -a) in the view at phi. Channel c of a texel that packs
// the four views, fetched at the position of voxel j, belongs to voxel (j + c) mod 4: turned(t, j) moves it there.
#include "voxel_driven/orbit_beam/cone.glsl"  // or parallel

uniform vec4 detector;     // column0, columns, row0, rows: fractions of the detector at b / depth, z / depth
uniform int first_packed;  // group of the scan in layer 0 of the packed views
uniform int first_slice;   // slice of the plan's grid in layer 0
uniform vec2 z;            // mm from the source's plane: z.x slice + z.y
uniform float middle;      // 0.5 where the axis lies between voxels, 0 where it lies on one
uniform float spacing;     // mm

layout(std140, binding = 1) uniform Groups { vec4 direction[MOST_GROUPS]; };  // cos, sin of a group's first view

float height_of(int layer) { return z.x * float(first_slice + layer) + z.y; }

/// Place in mm of the orbit's voxel in the first quarter. `pixel` is the orbit's number plus one half.
vec2 orbit_place(vec2 pixel) { return spacing * (pixel - 0.5 + middle); }

/// a and b of a place in mm, in the first view of a packed group.
vec2 in_view(vec2 p, int group) {
  vec2 c = direction[first_packed + group].xy;
  return vec2(p.x * c.x + p.y * c.y, p.y * c.x - p.x * c.y);
}

vec4 turned(vec4 t, int j) { return j == 0 ? t : j == 1 ? t.wxyz : j == 2 ? t.zwxy : t.yzwx; }

vec2 orbit_voxel(float a, float b, int j) {
  return j == 0 ? vec2(a, b) : j == 1 ? vec2(-b, a) : j == 2 ? vec2(-a, -b) : vec2(b, -a);
}
