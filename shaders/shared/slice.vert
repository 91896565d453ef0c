#version 450 core
// Each instance is a slice of a volume: a quad that covers one layer of the target.
#include "shared/layer/from_vertex.glsl"  // or from_geometry, only

uniform int first_layer;  // of the target, drawn by instance 0
#ifdef PLANE  // a plane of slices, which may be perpendicular to any axis
#include "emission/plane.glsl"
#endif

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef PLANE
  choose_layer(to_plane(corner));
#else
  choose_layer(first_layer + gl_InstanceID);
#endif
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
