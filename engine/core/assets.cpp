#include <backlit/core/assets.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

namespace backlit {
namespace {

namespace fs = std::filesystem;

struct Folders {
  fs::path chosen, last;
};

Folders& folders() {
  static Folders both;
  return both;
}

/// share/backlit in the folder of `file` or up to two above it: bin/, lib/ and lib/x86_64-linux-gnu/ are beside share/.
fs::path beside(const fs::path& file) {
  std::error_code none;
  fs::path folder = file.parent_path();
  for (int i = 0; i < 3 && !folder.empty(); ++i, folder = folder.parent_path())
    if (const fs::path found = folder / "share/backlit"; fs::is_directory(found, none)) return found;
  return {};
}

fs::path asset_root() {
  if (!folders().chosen.empty()) return folders().chosen;
  if (const char* named = std::getenv("BACKLIT_ASSETS"); named && *named) return named;
  std::error_code none;
  if (fs::path found = beside(fs::read_symlink("/proc/self/exe", none)); !found.empty()) return found;
  Dl_info object{};
  if (::dladdr(reinterpret_cast<const void*>(&asset_root), &object) != 0 && object.dli_fname)
    if (fs::path found = beside(fs::absolute(object.dli_fname, none)); !found.empty()) return found;
  return folders().last.empty() ? fs::path("share/backlit") : folders().last;
}

}  // namespace

fs::path asset_folder(const char* name) { return asset_root() / name; }

void set_asset_folder(const fs::path& folder) { folders().chosen = folder; }

std::string one_of_shipped(const std::vector<std::string>& names) {
  if (!names.empty()) return fmt::format("one of {}", fmt::join(names, ", "));
  return fmt::format("set BACKLIT_ASSETS to the folder of the shipped ones, which are not in {}",
                     asset_root().string());
}

bool set_last_asset_folder(const char* folder) {
  folders().last = folder;
  return true;
}

}  // namespace backlit
