// The block, the values and the shown part of a volume in a 3-D texture, or of one of its tiles.
// VolumeBlock in render/gl/volume_renderer.cpp. mm are relative to the volume's middle; texels count from 0 at the
// centre of the tile's first texel.
layout(std140, binding = 1) uniform VolumeBlock {
  vec4 box_low, box_high;            // mm: the shown box
  vec4 tile_low, tile_high;          // mm: this tile's own part
  vec4 to_texels, texel_offset;      // texel = mm * to_texels + texel_offset
  vec4 per_texel;                    // texture coordinates per texel
  vec4 planes[6];                    // dot(xyz, mm) <= w is shown
  ivec4 last_brick;                  // xyz; w: number of planes
  vec4 marching;                     // largest step mm; iso; opaque; gradient for full light
  ivec4 switches;                    // first tile; jitter; skip; shaded
  vec4 lighting;                     // gradient opacity; shadows; occlusion; gradient that takes no opacity away
  vec4 light_cells;                  // mm: sides of the cells of the light's grid; w: the longest side
  vec4 per_box;                      // texture coordinates of that grid per mm; w: extinction of what is solid
};
layout(binding = 0) uniform sampler3D volume;

float value_at(vec3 texel) { return textureLod(volume, (texel + 0.5) * per_texel.xyz, 0.0).r; }

// Central differences over two voxels, per mm.
vec3 gradient_at(vec3 texel) {
  return 0.5 * to_texels.xyz *
         vec3(value_at(texel + vec3(1, 0, 0)) - value_at(texel - vec3(1, 0, 0)),
              value_at(texel + vec3(0, 1, 0)) - value_at(texel - vec3(0, 1, 0)),
              value_at(texel + vec3(0, 0, 1)) - value_at(texel - vec3(0, 0, 1)));
}

// The share of its extinction that a sample keeps where the gradient has this length.
float gradient_share(float gradient) { return mix(1.0, min(1.0, gradient / lighting.w), lighting.x); }
