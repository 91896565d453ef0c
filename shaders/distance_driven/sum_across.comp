#version 450 core
// Turns sums along one direction into summed areas, in place: an invocation works on one edge.
layout(local_size_x = 32, local_size_y = 1) in;

layout(binding = 0, r32f) uniform image2DArray sums;
uniform int images;

void main() {
  ivec3 size = imageSize(sums);
  int k = int(gl_GlobalInvocationID.x), image = int(gl_GlobalInvocationID.y);
  if (k >= size.y || image >= images) return;
  double sum = 0.0;
  imageStore(sums, ivec3(0, k, image), vec4(0.0));
  for (int i = 1; i < size.x; ++i) {
    sum += double(imageLoad(sums, ivec3(i, k, image)).r);
    imageStore(sums, ivec3(i, k, image), vec4(float(sum)));
  }
}
