// Orbits seen by a parallel beam: there is no depth.
float reciprocal_depth(float a) { return 1.0; }

float weight_at(float r) { return 1.0; }
