// A pass reads the sum of earlier passes from one texture and writes another.
layout(binding = 2) uniform sampler2DArray previous;

VALUE added(VALUE value, int layer) { return value + VALUE(texelFetch(previous, ivec3(gl_FragCoord.xy, layer), 0)); }
