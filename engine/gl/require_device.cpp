#include "gl/require_device.hpp"

#include <backlit/core/device_failure.hpp>
#include "gl/opengl.hpp"

namespace backlit::gl {

void require_device() { require_device(glGetError()); }

void require_device(GLenum error) {
  if (error == GL_CONTEXT_LOST || glGetGraphicsResetStatus() != GL_NO_ERROR)
    throw DeviceFailure("OpenGL", "the device was lost: its driver has reset it",
                        "start again, from a checkpoint if there is one");
  if (error == GL_OUT_OF_MEMORY)
    throw DeviceFailure("OpenGL", "no room on the device for what a command needs",
                        "ask for a smaller volume or fewer views");
}

}  // namespace backlit::gl
