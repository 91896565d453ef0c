#version 450 core
// A slice of the volume is a quad that covers one layer of the target; an instance a slice. Its corners are carried
// through the projection matrices of VIEWS views here, and the rasteriser interpolates: w = 1 in gl_Position, so a, b
// and w come out linear in space, which is what they are (Xu & Mueller 2007, "AG-GPU").
#if defined(LAYER_FROM_VERTEX) && !defined(TARGET_SLICE)
#extension GL_ARB_shader_viewport_layer_array : require
#endif
#include "shared/views.glsl"

uniform vec2 size;         // columns and rows of a slice
uniform int first_layer;   // of the target, drawn by instance 0
uniform int first_slice;   // of the plan's grid, that layer 0 holds
uniform vec2 first_voxel;  // of the plan's grid, that texel 0 0 holds
#ifdef PLANE  // a plane of slices, which may be perpendicular to any axis
#include "emission/plane.glsl"
#endif

#ifdef PACK_SLICES
#define SLICES_A_LAYER 4
#else
#define SLICES_A_LAYER 1
#endif

#ifdef TRANSFORM_VERTEX
out Detector { noperspective POSITION position[POSITIONS]; } detector;
#endif
#if !defined(LAYER_FROM_VERTEX) && !defined(TARGET_SLICE)
flat out int layer;
#endif

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef PLANE
  int target_layer = to_plane(corner);
#else
  int target_layer = first_layer + gl_InstanceID;
#endif
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
#if defined(TARGET_SLICE)
  // The framebuffer holds just that layer.
#elif defined(LAYER_FROM_VERTEX)
  gl_Layer = target_layer;
#else
  layer = target_layer;
#endif
#ifdef TRANSFORM_VERTEX
  // Voxel centres lie at integers, fragment centres at halves.
  vec3 voxel = vec3(corner * size - 0.5 + first_voxel, float(first_slice + SLICES_A_LAYER * target_layer));
  for (int i = 0; i < VIEWS; ++i) detector.position[i] = place_of(views[first_view + i * view_stride], voxel);
#endif
}
