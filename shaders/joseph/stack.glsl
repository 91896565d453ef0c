// The volume as slices perpendicular to one axis: the values of one texture, and how a ray sums them.
#include "shared/rays.glsl"
#include "shared/narrow.glsl"

layout(binding = 0) uniform sampler2DArray stack;
uniform vec2 slice_size;      // voxels along u and v
uniform int first_slice;      // of the volume, that layer 0 holds
uniform int from_slice;       // the first of the slices to sum over
uniform int slice_count;
uniform float middle_slice;
uniform float unit;           // what a stored 1 means

#include "joseph/sample/hardware.glsl"  // VALUE, sample_stack(): or software, orbit, direct
#include "joseph/slab/bilinear.glsl"    // or boxes
