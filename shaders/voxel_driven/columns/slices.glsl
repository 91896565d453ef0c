// Stores the sums of a column to a volume of one slice a layer.
layout(binding = 0, r32f) uniform image2DArray volume;

void store_column(ivec2 p, int first) {
  int depth = imageSize(volume).z;
  for (int k = 0; k < SLICES && first + k < depth; ++k) {
    ivec3 texel = ivec3(p, first + k);
    float value = unit * sum[k];
    if (accumulate != 0) value += imageLoad(volume, texel).r;
    imageStore(volume, texel, vec4(value));
  }
}
