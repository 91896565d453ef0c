#include <backlit/version.hpp>

#define BACKLIT_TEXT(number) #number
#define BACKLIT_DOTTED(major, minor, patch) BACKLIT_TEXT(major) "." BACKLIT_TEXT(minor) "." BACKLIT_TEXT(patch)

namespace backlit {

const char* version() { return BACKLIT_DOTTED(BACKLIT_VERSION_MAJOR, BACKLIT_VERSION_MINOR, BACKLIT_VERSION_PATCH); }

}  // namespace backlit
