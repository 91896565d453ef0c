// The voxel's share in bilinear interpolation for a ray that meets the voxel's slice s at `here.xy / here.z` from its
// centre.
float share_of(RayRows r, vec3 here, float inverse, vec2 pixel, float s) {
  vec2 near = max(1.0 - abs(here.xy * inverse), 0.0);
  return near.x * near.y * slab_share(r, sign(here.z), s);
}
