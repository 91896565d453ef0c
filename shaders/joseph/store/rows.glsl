// The four sums belong to adjacent rows of a view.
ivec2 pixels_summed() {
  ivec2 size = imageSize(projections).xy;
  return ivec2(size.x, (size.y + 3) / 4);
}
int view_summed(int number) { return first_view + number * view_stride; }
bool runs_through(RayRows r) { return r.more.x != 0.0; }

void add_sum(ivec2 pixel, int number, vec4 sum) {
  for (int c = 0; c < 4 && 4 * pixel.y + c < imageSize(projections).y; ++c)
    add(ivec3(pixel.x, 4 * pixel.y + c, first_layer + number * layer_stride), sum[c]);
}
