#version 450 core
// The smallest and largest value of trilinear interpolation between the first voxel of a brick of BRICK^3 and the first
// voxel of the next.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(binding = 0) uniform sampler3D volume;
layout(binding = 0, rg32f) writeonly uniform image3D bricks;

uniform int first_brick;  // along z, of the first invocations

void main() {
  ivec3 brick = ivec3(gl_GlobalInvocationID) + ivec3(0, 0, first_brick);
  if (any(greaterThanEqual(brick, imageSize(bricks)))) return;
  ivec3 low = brick * BRICK;
  ivec3 high = min((brick + 1) * BRICK, textureSize(volume, 0) - 1);
  float least = texelFetch(volume, low, 0).r, most = least;
  for (int z = low.z; z <= high.z; ++z)
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x) {
        float value = texelFetch(volume, ivec3(x, y, z), 0).r;
        least = min(least, value);
        most = max(most, value);
      }
  imageStore(bricks, brick, vec4(least, most, 0.0, 0.0));
}
