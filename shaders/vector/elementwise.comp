#version 450 core
// y = EXPRESSION of x, y, a, b at every texel; FORMAT is y's.
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0, FORMAT) uniform image2DArray target;
layout(binding = 0) uniform sampler2DArray source;
uniform float a, b;

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(p.xy, imageSize(target).xy))) return;
  float y = imageLoad(target, p).r;
  float x = texelFetch(source, p, 0).r;
  imageStore(target, p, vec4(EXPRESSION));
}
