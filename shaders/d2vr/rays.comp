#version 450 core
#include "d2vr/rays.glsl"
#include "shared/tile.glsl"

layout(binding = 0, rgba32f) writeonly uniform image2D found;
uniform int first_row;  // first row of the picture in this dispatch

void main() {
  ivec2 pixel = ivec2(gl_WorkGroupID.xy) * 8 + tile_pixel() + ivec2(0, first_row);
  if (in_picture(pixel)) imageStore(found, pixel, trace(march(pixel)));
}
