#version 450 core
// A fragment a voxel of the slice or slices, drawn by backproject/slice.vert; the blend unit adds planes up.
#include "emission/gather.glsl"

uniform int plane;
uniform int planes;
out float value;

void main() {
  ivec3 voxel = ivec3(gl_FragCoord.xy, gl_Layer);
  value = 0.0;
  if (voxel[axis] == planes - 1 - plane) value += given(voxel, 0, 0, 1);
  if (voxel[axis] == plane) value += given(voxel, 1, 0, 1);
}
