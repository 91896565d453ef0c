// A group's tile of 16 x 16 pixels in Morton order. Texture units serve four neighbours together: in this order they
// are a square of rays, not a row.
layout(local_size_x = 256) in;

ivec2 pixel_of_invocation() {
  int lane = int(gl_LocalInvocationID.x) & 31, warp = int(gl_LocalInvocationID.x) >> 5;
  ivec2 within = ivec2((lane & 1) | (lane >> 1 & 2) | (lane >> 2 & 4), (lane >> 1 & 1) | (lane >> 2 & 2));
  return ivec2(gl_WorkGroupID.xy) * 16 + ivec2((warp & 1) * 8, (warp >> 1) * 4) + within;
}
