// As hardware rounds the places that it filters at; done before the texture's own place has a say in it, it finds
// nothing left to round.
#ifdef WEIGHTS_IN_256THS
vec2 at_step(vec2 at) { return floor(256.0 * at + 0.5) / 256.0; }
vec3 at_step(vec3 at) { return floor(256.0 * at + 0.5) / 256.0; }
#else
vec2 at_step(vec2 at) { return at; }
vec3 at_step(vec3 at) { return at; }
#endif
