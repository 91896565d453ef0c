#include "output_path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "core/error.hpp"
#include "io/atomic_file.hpp"

namespace backlit::cli {
namespace fs = std::filesystem;

void require_writable(const fs::path& path, const std::vector<std::string>& extensions, std::int64_t bytes) {
  const std::string name = path.filename().string();
  const auto fits = [&](const std::string& e) { return name.size() > e.size() && name.ends_with(e); };
  if (std::none_of(extensions.begin(), extensions.end(), fits))
    throw InputError(path.string(), "no format is known by this extension",
                     fmt::format("choose one of {}", fmt::join(extensions, ", ")));
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path.string(), "is a folder", "name a file in it");
  const AtomicFile probe(path);  // checks the folder and leaves nothing behind
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes))
    throw Failure(path.string(),
                  fmt::format("needs {:.1f} GiB, the disk has {:.1f} GiB left", static_cast<double>(bytes) / (1 << 30),
                              static_cast<double>(space.available) / (1 << 30)),
                  "free some or choose another place");
}

const std::vector<std::string>& projection_extensions() {
  static const std::vector<std::string> list{".npy", ".mha", ".tif", ".tiff"};
  return list;
}

}  // namespace backlit::cli
