#version 450 core
// Sums along z of a volume's slabs perpendicular to `axis`: each voxel less `mean`, less the mean of what is then left
// in the column. That column mean is stored beyond the last edge. An invocation works on one voxel column. The table
// may hold a part of the slabs.
layout(local_size_x = 16, local_size_y = 16) in;

layout(binding = 0) uniform sampler2DArray volume;
layout(binding = 0, r32f) writeonly uniform image2DArray sums;
uniform int axis;
uniform ivec2 first;  // first voxel column of the table
uniform float mean;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID);  // x, y
  int slab = axis == 0 ? p.x : p.y, across = axis == 0 ? p.y : p.x, slices = textureSize(volume, 0).z;
  if (slab >= imageSize(sums).z || across + 1 >= imageSize(sums).x) return;
  double sum = 0.0, level = 0.0;
  imageStore(sums, ivec3(across + 1, 0, slab), vec4(0.0));
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (int k = 0; k < slices; ++k) {
      sum += double(texelFetch(volume, ivec3(first + p, k), 0).r - mean) - level;
      if (sweep == 1) imageStore(sums, ivec3(across + 1, k + 1, slab), vec4(float(sum)));
    }
    if (sweep == 0) level = sum / double(slices);
    sum = 0.0;
  }
  imageStore(sums, ivec3(across + 1, slices + 1, slab), vec4(0.0));
  imageStore(sums, ivec3(across + 1, slices + 2, slab), vec4(float(level)));
}
