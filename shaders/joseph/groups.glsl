// Groups of four views on quarter turns that share texels.
struct Group {
  ivec4 layers;  // layers of the four views in the array of projections
  ivec4 view;    // x: the first view
};
layout(std430, binding = 2) readonly buffer Groups { Group groups[]; };
