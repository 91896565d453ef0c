#include <backlit/core/input_file.hpp>

#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;

void require_regular_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw InputError(path.string(), "a folder, not a file", "name a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(path.string(), "a pipe or a device, not a file", "name a file");
}

std::ifstream open_input(const fs::path& path) {
  require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path.empty() ? "''" : path.string(), "no such file, or it cannot be read");
  return in;
}

}  // namespace backlit
