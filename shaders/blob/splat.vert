#version 450 core
// Each instance is a voxel of a view: a quad over the pixels that its kernel can touch.
#include "shared/layer/from_vertex.glsl"  // or from_geometry
#include "blob/blob.glsl"
#include "shared/near.glsl"

layout(binding = 0) uniform sampler2DArray volume;
uniform vec2 detector;  // columns and rows
uniform float unit;
uniform int view;       // of this draw
uniform int first_layer;  // of the target
uniform int first_slice;

out Place {
  flat int layer;
  flat vec3 voxel;
  flat float value;
} place;

void main() {
  ivec3 size = ivec3(grid_size);
  int rows = gl_InstanceID / size.x;
  ivec3 at = ivec3(gl_InstanceID % size.x, rows % size.y, first_slice + rows / size.y);
  place.layer = first_layer;
  place.value = unit * texelFetch(volume, at, 0).r;
  place.voxel = vec3(at) - (0.5 * grid_size - 0.5);
  choose_layer(first_layer);
  ivec4 box = pixels_in(views[view], vec3(at), vec3(blob_radius), ivec2(detector) - 1);
  vec2 corner = mix(vec2(box.xy), vec2(box.zw + 1), vec2(gl_VertexID & 1, gl_VertexID >> 1)) / detector;
  bool seen = place.value != 0.0 && all(lessThanEqual(box.xy, box.zw));
  gl_Position = seen ? vec4(2.0 * corner - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
}
