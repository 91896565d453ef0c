// The share of the slab in which the ray runs inside this voxel; at slice s it passes at `off` from the voxel's centre.
float length_within(RayRows r, vec2 off, vec2 step, float sense, float s) {
  vec2 slab = started(r, sense, s) - s;
  for (int i = 0; i < 2; ++i) {
    if (step[i] == 0.0) {
      if (off[i] < -0.5 || off[i] >= 0.5) return 0.0;
      continue;
    }
    float a = (-0.5 - off[i]) / step[i], b = (0.5 - off[i]) / step[i];
    slab = vec2(max(slab.x, min(a, b)), min(slab.y, max(a, b)));
  }
  return max(slab.y - slab.x, 0.0);
}

/// The share for a ray that meets the voxel's slice s at `here.xy / here.z` from the voxel's centre.
float share_of(RayRows r, vec3 here, float inverse, vec2 pixel, float s) {
  vec4 own = pixel_vector(r, pixel);
  vec2 step = vec2(dot(r.step_u, own), dot(r.step_v, own)) * inverse;
  return length_within(r, here.xy * inverse, step, sign(here.z), s);
}
