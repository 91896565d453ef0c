// Paths of measured data, of the source tree and of the programs for tests.
#pragma once

#include <filesystem>

namespace backlit::test {

std::filesystem::path data_dir();     ///< measured scans and lists; may be missing
std::filesystem::path source_dir();   ///< the root of the source tree
std::filesystem::path program_dir();  ///< build folder of `backlit` and `backlit-view`

}  // namespace backlit::test
