#version 450 core
// The range of values in each cell: the values found, widened by MARGIN times the largest error of interpolation in the
// cell and its neighbours up to REACH cells away; and the largest value of all.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(binding = 2) uniform sampler3D cells;  // cells.comp
layout(binding = 0, rg32f) writeonly uniform image3D ranges;
layout(std430, binding = 1) buffer Largest { uint largest; };  // bits of a float that is not negative: they rise with it
shared uint of_group;

void find_range(ivec3 c, ivec3 last) {
  float error = 0.0;
  for (int z = max(c.z - REACH, 0); z <= min(c.z + REACH, last.z); ++z)
    for (int y = max(c.y - REACH, 0); y <= min(c.y + REACH, last.y); ++y)
      for (int x = max(c.x - REACH, 0); x <= min(c.x + REACH, last.x); ++x)
        error = max(error, texelFetch(cells, ivec3(x, y, z), 0).z);
  vec2 found = texelFetch(cells, c, 0).xy;
  imageStore(ranges, c, vec4(found + vec2(-MARGIN, MARGIN) * error, 0.0, 0.0));
  atomicMax(of_group, floatBitsToUint(max(found.y, 0.0)));
}

void main() {
  if (gl_LocalInvocationIndex == 0u) of_group = 0u;
  barrier();
  ivec3 c = ivec3(gl_GlobalInvocationID), last = imageSize(ranges) - 1;
  if (all(lessThanEqual(c, last))) find_range(c, last);
  barrier();
  if (gl_LocalInvocationIndex == 0u) atomicMax(largest, of_group);
}
