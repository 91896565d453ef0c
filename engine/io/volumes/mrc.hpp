// Questions to MRC files that tilt series are made of, too.
#pragma once

#include <backlit/io/file_format.hpp>

namespace backlit::formats {

bool is_mrc(const FileFront&);

}  // namespace backlit::formats
