// Checks of MRC files that the reader of tilt series needs too.
#pragma once

#include <backlit/io/file_format.hpp>

namespace backlit::formats {

bool is_mrc(const FileFront&);

}  // namespace backlit::formats
