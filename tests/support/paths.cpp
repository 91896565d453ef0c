#include "support/paths.hpp"

namespace backlit::test {

std::filesystem::path data_dir() { return BACKLIT_DATA_DIR; }
std::filesystem::path source_dir() { return BACKLIT_SOURCE_DIR; }
std::filesystem::path program_dir() { return BACKLIT_PROGRAM_DIR; }

}  // namespace backlit::test
