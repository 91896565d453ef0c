#include "core/temporary_name.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <system_error>

#include <backlit/core/error.hpp>

namespace backlit {
namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

fs::path temporary_name(const fs::path& final_path) {
  std::random_device random;
  return folder_of(final_path) / fmt::format(".{}.{:08x}{:08x}.part{}", final_path.stem().string(), random(), random(),
                                             final_path.extension().string());
}

void remove_old_parts(const fs::path& final_path) {
  constexpr std::size_t random_digits = 16;
  const std::string front = fmt::format(".{}.", final_path.stem().string());
  const std::string end = fmt::format(".part{}", final_path.extension().string());
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(final_path), error), last; !error && entry != last;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.size() == front.size() + random_digits + end.size() && name.starts_with(front) && name.ends_with(end) &&
        fs::file_time_type::clock::now() - entry->last_write_time(ignored) > std::chrono::hours(24) && !ignored)
      fs::remove_all(entry->path(), ignored);
  }
}

fs::path behind_links(const fs::path& path) {
  std::error_code error;
  fs::path file = path;
  for (int links = 0; fs::is_symlink(file, error) && links < 40; ++links)
    file = file.parent_path() / fs::read_symlink(file, error);
  return file;
}

fs::path writable_folder_of(const fs::path& path) {
  const fs::path folder = folder_of(path);
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError(path.string(), "its folder does not exist", "make it first or choose another place");
  if (::access(folder.c_str(), W_OK) != 0)
    throw InputError(path.string(), "its folder cannot be written to", "choose another place");
  return folder;
}

}  // namespace backlit
