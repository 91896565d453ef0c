// SART's correction in one pass: a voxel moves by `relaxation` times the mean of what the views show where it falls on
// them, which is A'y / A'1 of the voxel-driven A'. For RELAXED voxels of a column.
#include "backproject/contribution.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int projection;  // layer of this pass's first view
uniform int projection_stride;
uniform int first_slice;  // of the volume, that layer 0 of the image holds
uniform vec2 first_voxel;  // of the plan's grid, that texel 0 0 holds
uniform int view_count;
uniform vec2 detector_size;  // columns, rows
uniform float relaxation;
uniform float least;  // value of a voxel

/// What contribution() would be of a view of ones: the share of the bilinear kernel that lies on the detector.
float coverage(vec2 pixel) {
  vec2 share = clamp(min(pixel + 1.0, detector_size - pixel), 0.0, 1.0);
  return share.x * share.y;
}

/// Adds what a view shows at `place`, and its share. The border is sampled in software: a share of a hundredth, filtered
/// with the hardware's weights of 8 bits, would be off by a fifth, and so would their quotient.
void add_view(vec2 place, float layer, inout float sum, inout float seen) {
#ifdef SAMPLE_EXACT
  vec2 pixel = place;
#else
  vec2 pixel = place * detector_size - 0.5;
#endif
  float share = coverage(pixel);
  sum += share < 1.0 ? sample_in_software(projections, pixel, pixel_scale, layer)
                     : sample_view(projections, place, pixel_scale, layer);
  seen += share;
}

void relax_column(ivec2 p, int first) {
  int count = min(RELAXED, imageSize(volume).z - first);
  vec4 voxel = vec4(vec2(p) + first_voxel, float(first_slice + first), 1.0);
  float sum[RELAXED], seen[RELAXED], old[RELAXED];
  for (int k = 0; k < RELAXED; ++k) {
    sum[k] = seen[k] = 0.0;
    old[k] = imageLoad(volume, ivec3(p, first + k)).r;  // early, so that it comes while the views are fetched
  }
  for (int i = 0; i < view_count; ++i) {
    int view = first_view + i * view_stride;
    POSITION position = carry(views[view], voxel);
    POSITION up = carry(views[view], vec4(0.0, 0.0, 1.0, 0.0));
    float layer = float(projection + i * projection_stride);
    for (int k = 0; k < RELAXED; ++k) {
      POSITION at = position + float(k) * up;
      if (behind_source(at)) continue;
      float weight;
      vec2 place = detector_position(at, view, weight);
      add_view(place, layer, sum[k], seen[k]);
    }
  }
  for (int k = 0; k < RELAXED; ++k) {
    float change = seen[k] > 1e-6 * float(view_count) ? relaxation * sum[k] / seen[k] : 0.0;
    if (k < count) imageStore(volume, ivec3(p, first + k), vec4(max(old[k] + change, least)));
  }
}
