// Gaussians of small variance, each pixel with its own (engine/projector/emission.hpp), and their transpose.
layout(binding = 2) uniform sampler2DArray image;
uniform int reach;  // no kernel of this pass has more taps on either side

int kernel_radius(float variance) {
  return !(variance > 0.0) ? 0 : variance <= 0.5 ? 1 : min(8, int(ceil(3.0 * sqrt(variance))));
}

// The weight `offset` taps from the middle.
float kernel_weight(float variance, int offset) {
  int i = abs(offset), radius = kernel_radius(variance);
  if (i > radius) return 0.0;
  if (radius == 0) return 1.0;
  if (radius == 1) return i == 0 ? 1.0 - variance : 0.5 * variance;
  // The Gaussian at k is what it is at k - 1 times q^(2 k - 1).
  float sum = 1.0, here = 1.0, own = 1.0, q = exp(-0.5 / variance), step = q;
  for (int k = 1; k <= radius; ++k) {
    here *= step;
    step *= q * q;
    sum += 2.0 * here;
    if (k == i) own = here;
  }
  return own / sum;
}

// Of the pixel's kernel in this plane; in front of the grid where plane < 0.
vec2 variance_at(ivec2 pixel, int view, int plane) {
#ifdef SCATTERS
  if (plane >= 0) return crossing(view, vec2(pixel), plane).variance;
  vec4 p = emission[view].pixels;
  vec2 scale = 0.01 * p.z * p.xy / p.w;
  return scatter * scale * scale;
#else
  return vec2(0.0);
#endif
}

float blurred(ivec3 at, int along, int plane) {
  float v = variance_at(at.xy, items[at.z].x, plane)[along];
  int radius = kernel_radius(v), size = textureSize(image, 0)[along];
  float sum = 0.0, weights = 0.0;
  for (int o = -radius; o <= radius; ++o) {
    // As kernel_weight(), which would sum the Gaussian's weights again for each of them.
    float weight = radius < 2 ? kernel_weight(v, o) : exp(-float(o * o) / (2.0 * v));
    weights += weight;
    ivec3 from = at;
    from[along] += o;
    if (from[along] >= 0 && from[along] < size) sum += weight * texelFetch(image, from, 0).r;
  }
  return sum / weights;
}

float blurred_transposed(ivec3 at, int along, int plane) {
  int size = textureSize(image, 0)[along];
  float sum = 0.0;
  for (int o = -reach; o <= reach; ++o) {
    ivec3 from = at;
    from[along] += o;
    if (from[along] < 0 || from[along] >= size) continue;
    float v = variance_at(from.xy, items[at.z].x, plane)[along];
    sum += kernel_weight(v, o) * texelFetch(image, from, 0).r;
  }
  return sum;
}
