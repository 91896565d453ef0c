// What earlier passes left of a pixel, where a pass adds by reading one texture and writing another.
#ifdef PING_PONG
layout(binding = 2) uniform sampler2DArray previous;
#define ADDED(value) (value) + VALUE(texelFetch(previous, ivec3(gl_FragCoord.xy, place.layer), 0))
#else
#define ADDED(value) (value)
#endif
