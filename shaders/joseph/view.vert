#version 450 core
// A quad over all pixels of a view in its layer of the target, an instance a view. DRAW_SLICES: an instance a slice of a
// view, carried to the detector by the projection matrix (Xu & Mueller, "slice-based"); the rasteriser interpolates
// where in the slice a pixel's ray meets it. ALL_PIXELS: the quad is the detector all the same, where a slice is no
// polygon on it, and where pixels that it misses must be written too (ping-pong).
#ifdef LAYER_FROM_VERTEX
#extension GL_ARB_shader_viewport_layer_array : require
#endif
#include "shared/rays.glsl"

uniform int first_layer;  // of the target, drawn by the first instance
uniform int layer_stride;
#ifdef ORBIT
#include "joseph/groups.glsl"
#endif
#ifdef DRAW_SLICES
uniform vec2 slice_size;
uniform int from_slice;
uniform int slice_count;
#ifdef ROWS
uniform vec2 four_rows;  // share of the drawn rows that the detector has; half a drawn row in clip coordinates
#endif
#endif

out Place {
  flat int view;
  flat int layer;
#ifdef DRAW_SLICES
  flat int slice;
  vec2 voxel;
#endif
} place;

#ifdef DRAW_SLICES
vec4 in_volume(vec2 p, float s) {
  vec3 voxel = axis == 0 ? vec3(s, p) : axis == 1 ? vec3(p.x, s, p.y) : vec3(p, s);
  return vec4(voxel, 1.0);
}
#endif

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef DRAW_SLICES
  int number = gl_InstanceID / slice_count;
  place.slice = from_slice + gl_InstanceID % slice_count;
#else
  int number = gl_InstanceID;
#endif
#ifdef ORBIT
  place.view = groups[number].view.x;
#else
  place.view = first_view + number * view_stride;
#endif
  place.layer = first_layer + number * layer_stride;
#ifdef LAYER_FROM_VERTEX
  gl_Layer = place.layer;
#endif
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
#ifdef DRAW_SLICES
  // Half a voxel wider than bilinear samples reach, so that no fragment is lost to rounding.
  place.voxel = corner * (slice_size + 2.0) - 1.5;
#ifndef ALL_PIXELS
  ViewRows m = views[place.view];
  vec4 voxel = in_volume(place.voxel, float(place.slice));
#ifdef PARALLEL
  float w = 1.0;
#else
  float w = dot(m.w, voxel);
#endif
  gl_Position = vec4(2.0 * dot(m.a, voxel) - w, 2.0 * dot(m.b, voxel) - w, 0.0, w);
#ifdef ROWS
  // Fragments of four rows, all that one of them touches: half a fragment more at either end along z.
  float outwards = (2.0 * corner.y - 1.0) * sign(m.b.z);
  gl_Position.y = 2.0 * four_rows.x * dot(m.b, voxel) - w + outwards * four_rows.y * w;
#endif
#endif
#endif
  // No ray of the view goes through this stack: the quad goes where nothing is drawn.
#if !defined(ORBIT) && !defined(ANY_AXIS) && !defined(PING_PONG)
  if (rays[first_ray + place.view].more.x == 0.0) gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
#endif
}
