#version 450 core
// Adds the partial sums of a reduction to the one texel of `total`, in a fixed order.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Partial { double partial[]; };
layout(binding = 0, r32f) uniform image2DArray total;
uniform int parts;

shared double s[256];

void main() {
  int lane = int(gl_LocalInvocationID.x);
  double sum = 0.0;
  for (int i = lane; i < parts; i += 256) sum += partial[i];
  s[lane] = sum;
  barrier();
  for (int half_width = 128; half_width > 0; half_width >>= 1) {
    if (lane < half_width) s[lane] += s[lane + half_width];
    barrier();
  }
  if (lane == 0) imageStore(total, ivec3(0), imageLoad(total, ivec3(0)) + vec4(float(s[0])));
}
