// The views of one pass, and the fetch from a view.
#include "shared/views.glsl"
#include "shared/sample/hardware.glsl"  // or software

layout(binding = 0) uniform sampler2DArray projections;
uniform vec2 pixel_scale;      // 1 / columns, 1 / rows of the detector
uniform vec2 detector_size;    // columns, rows
uniform int projection;        // layer of this pass's first view
uniform int projection_stride;
uniform int view_count;
uniform float unit;            // value of a stored 1

int view_of(int i) { return first_view + i * view_stride; }
float layer_of(int i) { return float(projection + i * projection_stride); }

/// Whether all pixels of a view's interpolation at this position are pixels of the detector.
bool within_border(vec2 place) { return within_image(place, detector_size, pixel_scale); }

/// A sample of a view, or of a view of ones, where it fades out beyond the border.
float sample_border(sampler2DArray images, vec2 place, float layer) {
  return bilinear(images, in_pixels(place, detector_size), pixel_scale, layer);
}
