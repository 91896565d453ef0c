#version 450 core
// Trilinear values of a volume, interpolated in fp32, at points given in texels of its texture (centres at integers).
// Points up to half a voxel outside take the value at the edge; results of farther points are not written.
layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler3D volume;
layout(std430, binding = 0) readonly buffer Points { vec4 points[]; };
layout(std430, binding = 1) buffer Values { float values[]; };
uniform int count;

float at(ivec3 p) { return texelFetch(volume, p, 0).r; }

void main() {
  int i = int(gl_GlobalInvocationID.x);
  if (i >= count) return;
  ivec3 last = textureSize(volume, 0) - 1;
  vec3 p = points[i].xyz;
  if (any(lessThan(p, vec3(-0.5))) || any(greaterThan(p, vec3(last) + 0.5))) return;
  p = clamp(p, vec3(0.0), vec3(last));
  ivec3 a = ivec3(floor(p)), b = min(a + 1, last);
  vec3 w = p - vec3(a);
  vec4 x = mix(vec4(at(a), at(ivec3(a.x, b.y, a.z)), at(ivec3(a.xy, b.z)), at(ivec3(a.x, b.yz))),
               vec4(at(ivec3(b.x, a.yz)), at(ivec3(b.xy, a.z)), at(ivec3(b.x, a.y, b.z)), at(b)), w.x);
  vec2 y = mix(x.xz, x.yw, w.y);
  values[i] = mix(y.x, y.y, w.z);
}
