// Files that Backlit does not open by themselves, although it knows what they are.
#pragma once

#include <backlit/io/file_format.hpp>

namespace backlit {

/// Throws InputError that names the file to open instead: for NRecon's log, angles or matrices beside a scan, a PET
/// scanner, the bare data of a PET list.
void refuse_other_file(const FileFront&);

}  // namespace backlit
