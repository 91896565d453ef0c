// Gaussians of small variance, one for each pixel (engine/projectors/emission/emission.hpp), and their transpose. The
// image holds values; in the transpose, each pixel's value over the sum of its kernel's weights, and the kernel's
// variance.
layout(binding = 2) uniform sampler2DArray image;
uniform int reach;  // upper bound of the taps on either side, in this pass

int kernel_radius(float variance) {
  return !(variance > 0.0) ? 0 : variance <= 0.5 ? 1 : min(8, int(ceil(3.0 * sqrt(variance))));
}

// Weight `i` taps from the middle, within the radius; divide it by kernel_sum().
float kernel_weight(float variance, int radius, int i) {
  if (radius == 0) return 1.0;
  if (radius == 1) return i == 0 ? 1.0 - variance : 0.5 * variance;
  return exp(-float(i * i) / (2.0 * variance));
}

float kernel_sum(float variance) {
  int radius = kernel_radius(variance);
  if (radius < 2) return 1.0;
  // The Gaussian at k is the one at k - 1 times q^(2 k - 1).
  float sum = 1.0, here = 1.0, q = exp(-0.5 / variance), step = q;
  for (int k = 1; k <= radius; ++k) {
    here *= step;
    step *= q * q;
    sum += 2.0 * here;
  }
  return sum;
}

// Variance of the pixel's kernel in this plane; in front of the grid where plane < 0.
vec2 variance_at(ivec2 pixel, int item, int plane) {
  if (!scatters) return vec2(0.0);
  if (plane >= 0) return crossing(item, vec2(pixel), plane).variance;
  vec4 p = emission[items[item].x].pixels;
  vec2 scale = 0.01 * p.z * p.xy / p.w;
  return scatter * scale * scale;
}

// Zero outside.
vec2 image_at(ivec3 at, int along, int offset) {
  at[along] += offset;
  return at[along] >= 0 && at[along] < textureSize(image, 0)[along] ? texelFetch(image, at, 0).rg : vec2(0.0);
}

float blurred(ivec3 at, int along, int plane) {
  float v = variance_at(at.xy, at.z, plane)[along];
  int radius = kernel_radius(v);
  float weights = kernel_weight(v, radius, 0), sum = weights * image_at(at, along, 0).r;
  for (int o = 1; o <= radius; ++o) {
    float weight = kernel_weight(v, radius, o);
    weights += 2.0 * weight;
    sum += weight * (image_at(at, along, -o).r + image_at(at, along, o).r);
  }
  return sum / weights;
}

// Input of blurred_transposed(): the kernel's sum is computed once here, not again for each neighbour.
vec2 spread(float value, float variance) { return vec2(value / kernel_sum(variance), variance); }

float blurred_transposed(ivec3 at, int along) {
  float sum = 0.0;
  for (int o = -reach; o <= reach; ++o) {
    vec2 from = image_at(at, along, o);
    int radius = kernel_radius(from.y);
    if (abs(o) <= radius) sum += from.x * kernel_weight(from.y, radius, abs(o));
  }
  return sum;
}
