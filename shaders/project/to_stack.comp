#version 450 core
// Turns a volume of slices along z into slices along x (axis 0: columns y, rows z) or y (axis 1: columns x, rows z).
// FORMAT is the target's. A group reads and writes squares, so that both stay near in memory.
layout(local_size_x = 8, local_size_z = 8) in;

layout(binding = 0) uniform sampler2DArray volume;
layout(binding = 0, FORMAT) writeonly uniform image2DArray stack;
uniform int axis;
uniform int first_slice;  // that layer 0 of the stack holds
uniform int first_z;      // that layer 0 of the volume's texture holds

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);  // column, z in the volume's texture, layer
  ivec3 size = imageSize(stack);
  if (at.x >= size.x || at.z >= size.z) return;
  int slice = first_slice + at.z;
  ivec3 from = axis == 0 ? ivec3(slice, at.x, at.y) : ivec3(at.x, slice, at.y);
  imageStore(stack, ivec3(at.x, first_z + at.y, at.z), texelFetch(volume, from, 0).rrrr);
}
