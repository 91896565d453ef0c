// The blend unit adds the fragments' results to the volume.
out vec4 value;

void add_to_volume(vec4 sum) { value = sum; }
