#include <backlit/core/assets.hpp>

#include <cstdlib>

namespace backlit {

std::filesystem::path asset_folder(const char* name) {
  namespace fs = std::filesystem;
  if (const char* chosen = std::getenv("BACKLIT_ASSETS"); chosen && *chosen) return fs::path(chosen) / name;
  std::error_code none;
  const fs::path installed =
      fs::read_symlink("/proc/self/exe", none).parent_path().parent_path() / "share/backlit" / name;
  return fs::is_directory(installed, none) ? installed : fs::path(BACKLIT_ASSETS) / name;
}

}  // namespace backlit
