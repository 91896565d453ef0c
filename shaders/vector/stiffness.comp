#version 450 core
// y = L(x) d for penalties on neighbours: the arithmetic of backlit/device/neighbour_penalty.hpp, voxel by voxel.
//   TV   isotropic total variation; otherwise q-GGMRF over 26 neighbours
layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2DArray at;
layout(binding = 1) uniform sampler2DArray along;
layout(binding = 0, r32f) writeonly uniform image2DArray rows;
uniform float p, q, c;
uniform float share[8];
uniform vec3 square;

float at_voxel(ivec3 v) { return texelFetch(at, v, 0).r; }
float along_voxel(ivec3 v) { return texelFetch(along, v, 0).r; }

#ifdef TV
float omega(float square_length) { return 1.0 / sqrt(1.0 + square_length / (c * c)); }

// Forward differences of a voxel; zero at the end.
vec3 differences(ivec3 v, ivec3 size, float t[4]) {
  return vec3(v.x + 1 < size.x ? t[1] - t[0] : 0.0, v.y + 1 < size.y ? t[2] - t[0] : 0.0,
              v.z + 1 < size.z ? t[3] - t[0] : 0.0);
}

vec3 flow(ivec3 v, ivec3 size) {
  ivec3 x = min(v + ivec3(1, 0, 0), size - 1), y = min(v + ivec3(0, 1, 0), size - 1);
  ivec3 z = min(v + ivec3(0, 0, 1), size - 1);
  vec3 t = differences(v, size, float[4](at_voxel(v), at_voxel(x), at_voxel(y), at_voxel(z)));
  vec3 d = differences(v, size, float[4](along_voxel(v), along_voxel(x), along_voxel(y), along_voxel(z)));
  return square * d * omega(dot(square, t * t));
}

float row(ivec3 v, ivec3 size) {
  vec3 own = flow(v, size);
  float sum = -(own.x + own.y + own.z);
  if (v.x > 0) sum += flow(v - ivec3(1, 0, 0), size).x;
  if (v.y > 0) sum += flow(v - ivec3(0, 1, 0), size).y;
  if (v.z > 0) sum += flow(v - ivec3(0, 0, 1), size).z;
  return sum;
}
#else
float omega(float t) {
  float s = abs(t) / c;
  if (p < 2.0) s = max(s, 1e-3);  // where p < 2 has a pole
  float edge = p > q ? pow(s, p - q) : 1.0;
  float value = (1.0 + q / p * edge) / ((1.0 + edge) * (1.0 + edge));
  return p < 2.0 ? value * pow(s, p - 2.0) : value;
}

float row(ivec3 v, ivec3 size) {
  float x0 = at_voxel(v), d0 = along_voxel(v), sum = 0.0;
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        ivec3 step = ivec3(i, j, k), w = v + step;
        if (step == ivec3(0) || any(lessThan(w, ivec3(0))) || any(greaterThanEqual(w, size))) continue;
        sum += share[i * i + 2 * j * j + 4 * k * k] * omega(x0 - at_voxel(w)) * (d0 - along_voxel(w));
      }
  return sum;
}
#endif

void main() {
  ivec3 v = ivec3(gl_GlobalInvocationID), size = imageSize(rows);
  if (all(lessThan(v, size))) imageStore(rows, v, vec4(row(v, size)));
}
