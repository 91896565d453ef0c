// Lines of response through slices: the arithmetic of lor.hpp, tube.hpp and tof.hpp in
// engine/include/backlit/projectors/lines_of_response, and of engine/projectors/lines_of_response/thin_line.hpp, in
// fp32.
struct Line {
  vec4 path;  // a, da, b, db: the line meets slice s at (a + s da, b + s db)
  vec4 ends;  // start, end and time-of-flight position in slices; axis + 4 kernel
};
layout(std430, binding = 0) readonly buffer Lines { Line lines[]; };
layout(std430, binding = 1) readonly buffer Weights { float weights[]; };  // TUBE_ENTRIES of each kernel
layout(std430, binding = 2) readonly buffer Tubes { vec2 tubes[]; };       // radius in mm, entries per mm^2
layout(std430, binding = 3) readonly buffer Tof { float tof_shares[]; };   // TOF_ENTRIES + 1

uniform vec3 spacing;
uniform vec3 grid_size;
uniform vec2 tof;  // entries per mm (0: without time of flight), reach in mm
// The i-th row of a call holds the lines of row first_row + i stride; an array holds these rows only, or all.
uniform int width;
uniform int line_count;
uniform int first_row;
uniform int stride;
uniform int row_count;
uniform int compact;

struct Footprint {
  int axis, first_entry;
  float aa, ab2, bb;  // table entries
  vec2 reach;         // voxels
  float step, shared_weight;
  vec3 size;  // of the grid along the axis, a and b
};

vec3 turned(int axis, vec3 v) { return axis == 0 ? v.xyz : axis == 1 ? v.yxz : v.zxy; }

ivec3 voxel_at(int axis, int s, int a, int b) {
  return axis == 0 ? ivec3(s, a, b) : axis == 1 ? ivec3(a, s, b) : ivec3(a, b, s);
}

Footprint footprint_of(Line l) {
  int code = int(l.ends.w);
  Footprint f;
  f.axis = code & 3;
  f.first_entry = (code >> 2) * TUBE_ENTRIES;
  vec3 mm = turned(f.axis, spacing);
  f.size = turned(f.axis, grid_size);
  vec2 slope = l.path.yw * mm.yz / mm.x;
  float square = 1.0 + dot(slope, slope);
  f.step = mm.x * sqrt(square);
#ifdef THIN
  f.reach = vec2(1.0);
  f.shared_weight = f.step;
#else
  vec2 tube = tubes[code >> 2];
  f.aa = tube.y * mm.y * mm.y * (1.0 - slope.x * slope.x / square);
  f.bb = tube.y * mm.z * mm.z * (1.0 - slope.y * slope.y / square);
  f.ab2 = -2.0 * tube.y * mm.y * mm.z * slope.x * slope.y / square;
  f.reach = tube.x / mm.yz * sqrt(1.0 + slope * slope);
  f.shared_weight = mm.x * mm.y * mm.z;
#endif
  return f;
}

void narrow(float at, float step, float low, float high, inout vec2 range) {
  if (step == 0.0) {
    if (at < low || at > high) range.y = range.x - 1.0;
    return;
  }
  float s0 = (low - at) / step, s1 = (high - at) / step;
  range = vec2(max(range.x, min(s0, s1)), min(range.y, max(s0, s1)));
}

// First and last slice that the line meets; none when the last is below the first.
ivec2 slices_of(Line l, Footprint f) {
  vec2 range = vec2(max(0.0, l.ends.x - 0.5), min(f.size.x - 1.0, l.ends.y + 0.5));
  if (tof.x > 0.0) range = vec2(max(range.x, l.ends.z - tof.y / f.step), min(range.y, l.ends.z + tof.y / f.step));
  narrow(l.path.x, l.path.y, -f.reach.x, f.size.y - 1.0 + f.reach.x, range);
  narrow(l.path.z, l.path.w, -f.reach.y, f.size.z - 1.0 + f.reach.y, range);
  return range.x <= range.y ? ivec2(ceil(range.x), floor(range.y)) : ivec2(0, -1);
}

// The common factor of the weights of all voxels in slice s.
float slice_share(Line l, Footprint f, float s) {
  float share = f.shared_weight * max(0.0, min(l.ends.y, s + 0.5) - max(l.ends.x, s - 0.5));
  if (tof.x > 0.0) {
    float e = abs(s - l.ends.z) * f.step * tof.x;
    int i = min(int(e), TOF_ENTRIES - 1);
    share *= e < float(TOF_ENTRIES) ? mix(tof_shares[i], tof_shares[i + 1], e - float(i)) : 0.0;
  }
  return share;
}

// The weight of the voxel at distance d from the point where the line meets its slice.
float weight_at(Footprint f, vec2 d) {
#ifdef THIN
  vec2 share = max(vec2(0.0), 1.0 - abs(d));
  return share.x * share.y;
#else
  float e = (f.aa * d.x + f.ab2 * d.y) * d.x + f.bb * d.y * d.y;
  if (!(e < float(TUBE_ENTRIES - 1))) return 0.0;
  int i = int(max(e, 0.0));
  return mix(weights[f.first_entry + i], weights[f.first_entry + i + 1], e - float(i));
#endif
}

// The line integral of `volume`: slices sampled one after the other.
float line_integral(int id, sampler2DArray volume) {
  Line l = lines[id];
  Footprint f = footprint_of(l);
  ivec2 slices = slices_of(l, f);
  float sum = 0.0;
  for (int s = slices.x; s <= slices.y; ++s) {
    vec2 at = l.path.xz + float(s) * l.path.yw;
    ivec2 low = ivec2(max(ceil(at - f.reach), 0.0)), high = ivec2(min(floor(at + f.reach), f.size.yz - 1.0));
    float part = 0.0;
    for (int b = low.y; b <= high.y; ++b)
      for (int a = low.x; a <= high.x; ++a)
        part += weight_at(f, vec2(a, b) - at) * texelFetch(volume, voxel_at(f.axis, s, a, b), 0).r;
    sum += slice_share(l, f, float(s)) * part;
  }
  return sum;
}
