// FDK at any point in mm: the sum of the views' contributions (Rautek et al., D2VR, EuroVis 2006). A layer, its row of
// the table and its view have the same number.
#include "voxel_driven/contribution.glsl"

uniform int view_end;  // uses every view_stride-th view from first_view on
uniform float gain;    // undoes the scale of the stored values and makes up for views left out

float reconstruct(vec3 point) {
  float sum = 0.0;
  for (int i = first_view; i < view_end; i += view_stride)
    sum += contribution(carry(views[i], vec4(point, 1.0)), i, float(i));
  return gain * sum;
}
