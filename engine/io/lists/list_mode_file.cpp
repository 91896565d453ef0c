#include <backlit/io/lists/list_mode_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <backlit/core/error.hpp>
#include "io/lists/list_format_list.hpp"

namespace backlit {

namespace fs = std::filesystem;

bool is_list_mode(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && list_format_list().recognized(file_front(path));
}

ListModeFile load_list_mode(const fs::path& path, const ListModeOptions& options) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) throw InputError(path.string(), "is not a file", "name a list of PET events");
  if (const ListFormat* format = list_format_list().recognized(file_front(path))) return format->open(path, options);
  throw InputError(path.string(), "is not a list of PET events",
                   fmt::format("known are {}", fmt::join(readable_titles(list_formats()), ", ")));
}

std::vector<std::string> list_mode_extensions() { return saved_extensions(list_formats()); }

std::vector<fs::path> list_mode_files_saved(const fs::path& path) { return list_format_list().files_saved(path); }

std::unique_ptr<ListModeWriter> create_list_mode(const fs::path& path, const Scanner& scanner,
                                                 const ListModeInfo& info) {
  if (const ListFormat* format = list_format_list().saved_as(path)) return format->create(path, scanner, info);
  throw InputError(path.string(), fmt::format("no format for list mode is called '{}'", path.extension().string()),
                   fmt::format("lists are saved as {}", fmt::join(savable_titles(list_formats()), ", ")));
}

}  // namespace backlit
