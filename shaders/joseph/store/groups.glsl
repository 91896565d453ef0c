// The four sums belong to the same pixel of four views on quarter turns.
#include "joseph/groups.glsl"

ivec2 pixels_summed() { return imageSize(projections).xy; }
int view_summed(int number) { return groups[number].view.x; }
bool runs_through(RayRows r) { return true; }

void add_sum(ivec2 pixel, int number, vec4 sum) {
  for (int c = 0; c < 4; ++c) add(ivec3(pixel, groups[number].layers[c]), sum[c]);
}
