#version 450 core
// An invocation is a voxel. The present planes are parallel to the detector, in a layer each.
layout(local_size_x = 16, local_size_y = 8) in;
#include "emission/gather.glsl"
#include "shared/narrow.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int held;     // planes per view in `weighed`; the k-th is in layer k % held
uniform int plane;    // first of the present planes
uniform int count;    // number of planes
uniform int first_z;  // slice of the volume in layer 0

vec3 in_volume(vec2 p, float s) { return axis == 0 ? vec3(s, p) : axis == 1 ? vec3(p.x, s, p.y) : vec3(p, s); }

// The transpose of trilinear samples of planes, where the few rays near the voxel meet the few planes near it.
float share_facing(vec3 voxel, int i) {
  int view = items[i].x;
  EmissionView e = emission[view];
  RayRows r = rays[first_ray + view];
  vec3 p = voxel - middle_voxel;
  ivec4 box = pixels_in(views[view], voxel, vec3(1.0), textureSize(weighed, 0).xy - 1);
  float sum = 0.0;
  for (int row = box.y; row <= box.w; ++row)
    for (int column = box.x; column <= box.z; ++column) {
      Ray ray;
      ray_through(r, pixel_vector(r, vec2(column, row)), ray);
      vec3 point = in_volume(ray.at, 0.0), step = in_volume(ray.step, 1.0);
      float along = dot(e.normal.xyz, step);
      if (ray.sense * along >= 0.0) continue;
      float from = -1e9, to = 1e9;  // at point + s step the ray is near the voxel
      for (int a = 0; a < 3; ++a) narrow(point[a] - p[a], step[a], 1.0, from, to);
      if (!(from <= to)) continue;
      // Plane k is met at s = start + k change.
      float change = e.normal.w / along;
      float start = (e.stack.x - dot(e.normal.xyz, middle_voxel + point)) / along;
      vec2 ends = (vec2(from, to) - start) / change;
      float last = min(floor(max(ends.x, ends.y)), min(e.stack.y, float(plane + count)) - 1.0);
      for (float k = max(ceil(min(ends.x, ends.y)), float(plane)); k <= last; k += 1.0) {
        vec3 near = max(1.0 - abs(point + (start + k * change) * step - p), 0.0);
        sum += near.x * near.y * near.z * texelFetch(weighed, ivec3(column, row, i * held + int(k) % held), 0).r;
      }
    }
  return sum;
}

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  if (any(greaterThanEqual(at, imageSize(volume)))) return;
  float sum = 0.0;
  for (int i = 0; i < view_count; ++i) sum += share_facing(vec3(at + ivec3(0, 0, first_z)), i);
  imageStore(volume, at, imageLoad(volume, at) + sum);
}
