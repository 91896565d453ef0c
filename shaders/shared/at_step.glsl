// Places in voxels, rounded to 256ths as hardware rounds those that it filters at. Done among the whole grid's voxels,
// this leaves hardware nothing to round, wherever a tile's texture begins.
#ifdef WEIGHTS_IN_256THS
vec2 at_step(vec2 at) { return roundEven(256.0 * at) / 256.0; }
vec3 at_step(vec3 at) { return roundEven(256.0 * at) / 256.0; }
#else
vec2 at_step(vec2 at) { return at; }
vec3 at_step(vec3 at) { return at; }
#endif
