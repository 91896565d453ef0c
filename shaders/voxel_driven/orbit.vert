#version 450 core
// A slice of orbits is a quad that covers one layer of the target; an instance a slice. The rasteriser interpolates a
// and b of GROUPS groups from its corners.
#ifdef LAYER_FROM_VERTEX
#extension GL_ARB_shader_viewport_layer_array : require
#endif
#include "voxel_driven/orbit.glsl"

uniform float side;     // orbits along a slice's edge
uniform float middle;   // 0.5 where the axis lies between voxels, 0 where it lies on one
uniform float spacing;  // mm
uniform int first_group;

#ifdef TRANSFORM_VERTEX
out Orbit { noperspective vec2 place[GROUPS]; } orbit;
#endif
#ifndef LAYER_FROM_VERTEX
flat out int layer;
#endif

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
#ifdef LAYER_FROM_VERTEX
  gl_Layer = gl_InstanceID;
#else
  layer = gl_InstanceID;
#endif
#ifdef TRANSFORM_VERTEX
  vec2 p = spacing * (corner * side - 0.5 + middle);
  for (int i = 0; i < GROUPS; ++i) orbit.place[i] = in_view(p, first_group + i);
#endif
}
