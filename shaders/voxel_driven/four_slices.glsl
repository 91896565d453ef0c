// A view's contributions to four adjacent slices, which share a texel: one matrix, plus one offset.
#include "voxel_driven/contribution.glsl"

vec4 contributions(POSITION p, int view, float layer) {
  POSITION up = coefficients(views[view], 2);
  return vec4(contribution(p, view, layer), contribution(p + up, view, layer),
              contribution(p + 2.0 * up, view, layer), contribution(p + 3.0 * up, view, layer));
}
