#version 450 core
// AG-GPU, the vertex shader (Xu & Mueller, Phys. Med. Biol. 52 (2007) 3405): each instance is a slice of the volume, a
// quad that covers one layer of the target. Its corners are mapped through the projection matrices of VIEWS views, and
// the rasteriser interpolates in between. w = 1 in gl_Position, so a, b and w come out linear in space, as they are.
#include "shared/layer/from_vertex.glsl"  // or from_geometry, only
#include "voxel_driven/views.glsl"

uniform vec2 size;             // columns and rows of a slice
uniform int first_layer;       // of the target, drawn by instance 0
uniform int attached_layer;    // layer of the volume in layer 0 of the target
uniform int first_slice;       // slice of the plan's grid in layer 0 of the volume
uniform int slices_per_layer;  // 1, or 4 where texels hold four slices

const int positions = VIEWS > 1 ? VIEWS : 2;  // NVIDIA's driver loses varyings in an array of one
out Detector { noperspective POSITION position[positions]; } detector;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  int layer = first_layer + gl_InstanceID;
  choose_layer(layer);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
  // Voxel centres lie at integers, fragment centres at halves.
  vec3 voxel = vec3(corner * size - 0.5, float(first_slice + slices_per_layer * (attached_layer + layer)));
  for (int i = 0; i < VIEWS; ++i) detector.position[i] = place_of(views[view_of(i)], voxel);
}
