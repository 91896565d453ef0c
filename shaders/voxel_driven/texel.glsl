// The texel of the volume that a fragment writes.
uniform int attached_layer;    // layer of the volume in layer 0 of the framebuffer
uniform int first_slice;       // slice of the plan's grid in layer 0 of the volume
uniform int slices_per_layer;  // 1, or 4 where texels hold four slices

ivec3 texel_drawn() { return ivec3(gl_FragCoord.xy, attached_layer + gl_Layer); }

/// The voxel of the lowest slice.
vec3 voxel_drawn() {
  return vec3(gl_FragCoord.xy - 0.5, float(first_slice + slices_per_layer * (attached_layer + gl_Layer)));
}
