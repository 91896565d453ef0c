// Nothing scatters.
const bool scatters = false;
bool needs_attenuation() { return false; }
vec2 variance_of(EmissionView e, float path, vec3 here, vec3 center, float attenuation) { return vec2(0.0); }
