// The table of views as uniforms, which some devices read faster: UNIFORM_VIEWS is their number.
layout(std140, binding = 1) uniform Views { ViewRows views[UNIFORM_VIEWS]; };
