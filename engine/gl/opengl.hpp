// OpenGL 4.5 core as GLEW declares it. Include this, never <GL/glew.h> or <GL/gl.h>, and only below engine/gl.
#pragma once

#include <GL/glew.h>
