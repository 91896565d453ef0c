#version 450 core
// A fragment is a voxel of the slice or slices, drawn by shared/slice.vert; the blend unit adds planes.
#include "emission/gather.glsl"

uniform int plane;
uniform int planes;
uniform int first_z;  // slice of the volume in layer 0
out float value;

void main() {
  ivec3 voxel = ivec3(gl_FragCoord.xy, gl_Layer);
  voxel.z += first_z;
  value = 0.0;
  if (voxel[axis] == planes - 1 - plane) value += share_of(voxel, 0, 0, 1);
  if (voxel[axis] == plane) value += share_of(voxel, 1, 0, 1);
}
