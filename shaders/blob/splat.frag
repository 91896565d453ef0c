#version 450 core
// A voxel's footprint in the pixel; the blend unit adds the voxels.
#include "blob/blob.glsl"

uniform int view;
in Place {
  flat int layer;
  flat vec3 voxel;
  flat float value;
} place;
out float value;

void main() { value = place.value * blob_length(line_of(view, gl_FragCoord.xy - 0.5), place.voxel); }
