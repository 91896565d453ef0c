// The table of views in a storage buffer, of any length.
layout(std430, binding = 0) readonly buffer Views { ViewRows views[]; };
