// Voxels 4 quarter to 4 quarter + 3 along z, interpolated along u by the texture unit.
vec4 four_voxels(float u, int quarter, float layer) {
  float row = (float(quarter) + 0.5) / float(textureSize(stack, 0).y);
  return textureLod(stack, vec3((u + 0.5) / slice_size.x, row, layer), 0.0);
}
