// The volume as slices perpendicular to one axis: the values of one texture, and the sum along a ray.
#include "shared/rays.glsl"
#include "shared/narrow.glsl"

layout(binding = 0) uniform sampler2DArray stack;
uniform vec2 slice_size;      // voxels along u and v
uniform int first_slice;      // slice of the volume in layer 0
uniform int from_slice;       // first slice of the sum
uniform int slice_count;
uniform float middle_slice;
uniform float unit;           // value of a stored 1

#include "joseph/sample/hardware.glsl"  // VALUE, sample_stack(): or software, orbit, direct
#include "joseph/slab/bilinear.glsl"    // or boxes
