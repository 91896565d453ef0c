// FDK at any point in mm: the sum over views of what they give to it (Rautek et al., D2VR, EuroVis 2006). Layers, rows of
// the table and views are one and the same number.
#include "voxel_driven/contribution.glsl"

uniform int view_end;  // of every view_stride-th view from first_view on
uniform float gain;    // undoes the scale of the stored values, stands in for views left out

float reconstruct(vec3 point) {
  float sum = 0.0;
  for (int i = first_view; i < view_end; i += view_stride)
    sum += contribution(carry(views[i], vec4(point, 1.0)), i, float(i));
  return gain * sum;
}
