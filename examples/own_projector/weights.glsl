// One view: where voxels fall, as struct Footprint says.
uniform vec3 column;  // u0, du[0], du[1]
uniform vec3 row;     // v0, dv
uniform float length_mm;
uniform int layer, overwrite;

float u_of(int i, int j) { return column.x + column.y * i + column.z * j; }
float v_of(int k) { return row.x + row.y * k; }
float hat(float t) { return max(0.0, 1.0 - abs(t)); }
