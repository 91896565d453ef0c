// Quarter-turn orbits (Mueller & Xu's projection packing): the voxels (x, y), (-y, x), (-x, -y), (y, -x) are seen by the
// views at phi, phi + 90, phi + 180, phi + 270 degrees at the same place. With a = x cos + y sin and b = y cos - x sin,
// the four have (a, b), (-b, a), (-a, -b), (b, -a) in the view at phi. Channel c of a texel that packs the four views,
// fetched at the place of voxel j, belongs to voxel (j + c) mod 4: turned(t, j) puts it there.
//   PARALLEL, WEIGHT_FDK  as in slice.frag
uniform vec4 detector;   // column0, columns, row0, rows: fractions of the detector at b / (source_distance - a), z / (source_distance - a)
uniform int first_packed;  // of the scan's groups, that layer 0 of the packed views holds
uniform int first_slice;  // of the plan's grid, that layer 0 holds
uniform float source_distance;  // mm, source to axis
uniform float margin;    // half a row, as a fraction: how far samples beyond the border still count

layout(std140, binding = 1) uniform Groups { vec4 direction[MOST_GROUPS]; };  // cos, sin of a group's first view

// a and b of a place in mm, in the first view of a packed group.
vec2 in_view(vec2 p, int group) {
  vec2 c = direction[first_packed + group].xy;
  return vec2(p.x * c.x + p.y * c.y, p.y * c.x - p.x * c.y);
}

vec4 turned(vec4 t, int j) { return j == 0 ? t : j == 1 ? t.wxyz : j == 2 ? t.zwxy : t.yzwx; }

vec2 orbit_voxel(float a, float b, int j) {
  return j == 0 ? vec2(a, b) : j == 1 ? vec2(-b, a) : j == 2 ? vec2(-a, -b) : vec2(b, -a);
}

float reciprocal_depth(float a) {
#ifdef PARALLEL
  return 1.0;
#else
  return 1.0 / (source_distance - a);
#endif
}

float weight_at(float r) {
#if defined(WEIGHT_FDK) && !defined(PARALLEL)
  float ratio = source_distance * r;
  return ratio * ratio;
#else
  return 1.0;
#endif
}
