#version 450 core
// An invocation a voxel of some slices: of the planes at hand, each in a layer of its own. FACING: of all
// slices, planes parallel to the detector.
layout(local_size_x = 16, local_size_y = 8) in;
#include "emission/gather.glsl"

layout(binding = 0, r32f) uniform image2DArray volume;
uniform int held;    // of them in `weighed`, the k-th in layer k % held
#ifdef FACING
uniform int plane;   // the first at hand
uniform int count;   // of planes
#else
uniform int planes;  // of a view
uniform int way;     // of the views that look towards larger slices: 0; the other way: 1
uniform int first;   // slice
uniform int count;   // of slices
#endif
uniform int first_z;  // of the volume, that layer 0 holds

#ifdef FACING
#include "shared/narrow.glsl"

vec3 in_volume(vec2 p, float s) { return axis == 0 ? vec3(s, p) : axis == 1 ? vec3(p.x, s, p.y) : vec3(p, s); }

// The transpose of sampling planes trilinearly: where the few rays near the voxel meet the few planes near it.
float given_facing(vec3 voxel, int i) {
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
#endif

void main() {
  ivec3 voxel = ivec3(gl_GlobalInvocationID);
  ivec3 size = imageSize(volume);
#ifndef FACING
  size[axis] = count;
#endif
  if (any(greaterThanEqual(voxel, size))) return;
  ivec3 at = voxel;  // in the volume
  float sum = 0.0;
#ifdef FACING
  for (int i = 0; i < view_count; ++i) sum += given_facing(vec3(voxel + ivec3(0, 0, first_z)), i);
#else
  at[axis] += first;
  voxel[axis] += first;
  voxel.z += first_z;
  int plane = way == 0 ? planes - 1 - voxel[axis] : voxel[axis];
  sum = given(voxel, way, plane % held, held);
#endif
  imageStore(volume, at, imageLoad(volume, at) + sum);
}
