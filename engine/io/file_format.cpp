#include <backlit/io/file_format.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>

#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/volume_format.hpp>
#include "io/byte_source.hpp"
#include "io/text_fields.hpp"

namespace backlit {

FileFront file_front(const std::filesystem::path& path) {
  constexpr std::size_t bytes = 4096;
  std::error_code error;
  return {path, std::filesystem::is_regular_file(path, error) ? read_front(path, bytes) : std::string()};
}

bool has_extension(const std::filesystem::path& path, const std::vector<std::string>& extensions) {
  const std::string name = lower_case((path.has_filename() ? path : path.parent_path()).filename().string());
  return std::ranges::any_of(extensions,
                             [&](const std::string& e) { return ::fnmatch(("*" + e).c_str(), name.c_str(), 0) == 0; });
}

bool has_known_extension(const std::filesystem::path& path) {
  const auto known = [&](const auto& formats) {
    return std::ranges::any_of(formats, [&](const FileFormat& f) { return has_extension(path, f.extensions); });
  };
  return known(volume_formats()) || known(scan_formats()) || known(list_formats()) || known(scanner_formats());
}

std::string title_with(const FileFormat& format, const std::vector<std::string>& extensions) {
  return fmt::format("{} ({})", format.title, fmt::join(extensions, ", "));
}

}  // namespace backlit
