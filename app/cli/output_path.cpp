#include "output_path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/volumes/volume_file.hpp>

namespace backlit::cli {
namespace fs = std::filesystem;
namespace {

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) || fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

/// "out.zarr/" is "out.zarr".
fs::path without_slash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

}  // namespace

void require_writable(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path.string(), "is a folder", "name a file in it");
  const AtomicFile probe(path);  // makes a file and removes it again: permissions alone do not tell
}

void require_writable(const fs::path& path, const std::vector<std::string>& extensions, std::int64_t bytes) {
  if (path.empty()) throw InputError("output", "its name is empty", "name a file");
  const std::string name = without_slash(path).filename().string();
  const auto fits = [&](const std::string& e) { return name.size() > e.size() && name.ends_with(e); };
  if (std::none_of(extensions.begin(), extensions.end(), fits))
    throw InputError(path.string(), "no format is known by this extension",
                     fmt::format("choose one of {}", fmt::join(extensions, ", ")));
  check_replaceable(path);
  require_writable(saved_as_folder(path) ? without_slash(path) += ".probe" : path);
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::space_info space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes))
    throw InputError(path.string(),
                     fmt::format("needs {}, the disk has {} left", byte_size_text(bytes),
                                 byte_size_text(static_cast<std::int64_t>(space.available))),
                     "ask for less, free some or choose another place");
}

void refuse_overwriting(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
  std::vector<fs::path> written;
  for (const fs::path& output : outputs)
    for (const fs::path& file : files_saved(output)) {
      const std::string beside = file == output ? "" : fmt::format(" (written for {})", output.string());
      const auto same = [&](const fs::path& other) { return same_file(file, other); };
      if (std::any_of(inputs.begin(), inputs.end(), same))
        throw InputError(file.string() + beside, "would overwrite an input of this command",
                         "give the output another name");
      if (std::any_of(written.begin(), written.end(), same))
        throw InputError(file.string() + beside, "would be written twice", "give each output its own name");
      written.push_back(file);
    }
}

}  // namespace backlit::cli
