// The libraries that read, write and transform, for reports of faults.
#pragma once

#include <string>
#include <vector>

namespace backlit {

/// Name and version of each library as it was loaded: "HDF5 1.10.8". Those that a build leaves out are not listed.
std::vector<std::string> library_versions();

}  // namespace backlit
