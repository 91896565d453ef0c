// Stores the sums of a column to a volume of four slices a texel.
layout(binding = 0, rgba32f) uniform image2DArray volume;

void store_column(ivec2 p, int first) {
  int depth = 4 * imageSize(volume).z;
  for (int k = 0; k < SLICES && first + k < depth; k += 4) {
    ivec3 texel = ivec3(p, (first + k) / 4);
    vec4 value = unit * vec4(sum[k], sum[k + 1], sum[k + 2], sum[k + 3]);
    if (accumulate != 0) value += imageLoad(volume, texel);
    imageStore(volume, texel, value);
  }
}
