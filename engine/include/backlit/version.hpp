// The version of Backlit. The build takes it from the three numbers here.
#pragma once

#define BACKLIT_VERSION_MAJOR 0
#define BACKLIT_VERSION_MINOR 2
#define BACKLIT_VERSION_PATCH 0

namespace backlit {

/// "0.2.0". While the first number is 0, a new second number may change interfaces.
const char* version();

}  // namespace backlit
