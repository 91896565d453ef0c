// Pixels in Morton order for work groups of 64: a tile of 8 x 8, in which four consecutive invocations are a square.
// Texture units serve squares of four.
layout(local_size_x = 64) in;

ivec2 tile_pixel() {
  int lane = int(gl_LocalInvocationID.x);
  return ivec2(lane & 1 | lane >> 1 & 2 | lane >> 2 & 4, lane >> 1 & 1 | lane >> 2 & 2 | lane >> 3 & 4);
}
