#version 450 core
// AG-GPU for orbits: each instance is a slice of orbits, a quad that covers one layer of the target. The rasteriser
// interpolates a and b of GROUPS groups from its corners.
#include "shared/layer/from_vertex.glsl"  // or from_geometry
#include "voxel_driven/orbit/orbit.glsl"

uniform float side;  // orbits along a slice's edge
uniform int first_group;

out Orbit { noperspective vec2 place[GROUPS]; } orbit;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  choose_layer(gl_InstanceID);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
  vec2 p = orbit_place(corner * side);
  for (int i = 0; i < GROUPS; ++i) orbit.place[i] = in_view(p, first_group + i);
}
