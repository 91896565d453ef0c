#version 450 core
// The footprint of a line on slice `slice`: a rectangle of whole pixels.
#include "lines_of_response/line.glsl"

layout(std430, binding = 4) readonly buffer Order { int order[]; };  // lines of this axis
layout(binding = 0) uniform sampler2DArray values;
uniform int slice;

flat out vec4 shape;   // aa, ab2, bb, the slice's share times the line's value
flat out vec3 middle;  // place where the line meets the slice; first entry of its table

void main() {
  int id = order[gl_InstanceID], row = id / width;
  Line l = lines[id];
  Footprint f = footprint_of(l);
  int i = (row - first_row) / stride;
  bool wanted = row >= first_row && (row - first_row) % stride == 0 && i < row_count;
  float value = wanted ? texelFetch(values, ivec3(id % width, 0, compact != 0 ? i : row), 0).r : 0.0;
  vec2 at = l.path.xz + float(slice) * l.path.yw;
  value *= slice_share(l, f, float(slice));
  shape = vec4(f.aa, f.ab2, f.bb, value);
  middle = vec3(at, f.first_entry);
  vec2 low = ceil(at - f.reach), high = floor(at + f.reach) + 1.0;
  vec2 corner = vec2((gl_VertexID & 1) != 0 ? high.x : low.x, (gl_VertexID & 2) != 0 ? high.y : low.y);
  gl_Position = value == 0.0 ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(2.0 * corner / f.size.yz - 1.0, 0.0, 1.0);
}
