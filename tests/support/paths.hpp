// Where tests find measured data, the source tree and the programs they run.
#pragma once

#include <filesystem>

namespace backlit::test {

std::filesystem::path data_dir();     ///< measured scans and lists; may be missing
std::filesystem::path source_dir();   ///< the root of the source tree
std::filesystem::path program_dir();  ///< where `backlit` and `backlit-view` were built

}  // namespace backlit::test
