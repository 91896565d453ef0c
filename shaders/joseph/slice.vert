#version 450 core
// Each instance is a slice of a view. The projection matrix maps it to the detector (Xu & Mueller, "slice-based"), and
// the rasteriser interpolates the place in the slice where a pixel's ray meets it.
#include "shared/layer/from_vertex.glsl"  // or from_geometry
#include "shared/rays.glsl"
#include "joseph/drawn/views.glsl"  // or groups

uniform int first_layer;  // of the target, drawn by the first instance
uniform int layer_stride;
uniform bool skips_views;  // views without a ray through this stack: their quad goes where nothing is drawn
uniform bool all_pixels;   // the quad is the detector: a slice is no polygon on it, or pixels beside it are written too
uniform vec2 slice_size;
uniform int from_slice;
uniform int slice_count;
uniform vec2 four_rows;  // detector's share of the drawn rows; half a drawn row in clip coordinates; 1, 0: no sharing

out Place {
  flat int view;
  flat int layer;
  flat int slice;
  vec2 voxel;
} place;

vec4 in_volume(vec2 p, float s) {
  vec3 voxel = axis == 0 ? vec3(s, p) : axis == 1 ? vec3(p.x, s, p.y) : vec3(p, s);
  return vec4(voxel, 1.0);
}

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  int number = gl_InstanceID / slice_count;
  place.slice = from_slice + gl_InstanceID % slice_count;
  place.view = view_drawn(number);
  place.layer = first_layer + number * layer_stride;
  choose_layer(place.layer);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
  // Half a voxel wider than bilinear samples reach, so that rounding loses no fragment.
  place.voxel = corner * (slice_size + 2.0) - 1.5;
  if (!all_pixels) {
    ViewRows m = views[place.view];
    vec3 p = rows_at(m, in_volume(place.voxel, float(place.slice)));
    // Where rows share texels, fragments have four rows: half a fragment more at either end includes all that are
    // touched.
    float outwards = (2.0 * corner.y - 1.0) * sign(m.b.z);
    gl_Position = vec4(2.0 * p.x - p.z, 2.0 * four_rows.x * p.y - p.z + outwards * four_rows.y * p.z, 0.0, p.z);
  }
  if (skips_views && rays[first_ray + place.view].more.x == 0.0) gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
}
