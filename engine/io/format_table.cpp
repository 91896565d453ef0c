#include "io/format_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include <backlit/io/scans/geometry_format.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/volume_format.hpp>

namespace backlit {
namespace {

std::string endings(const std::vector<std::string>& extensions) {
  return extensions.empty() ? "" : fmt::format("`{}`", fmt::join(extensions, "` `"));
}

template <class Formats, class Saved>
void add_rows(std::string& table, const char* kind, const Formats& formats, Saved&& saved) {
  for (const auto& f : formats)
    table += fmt::format("| {} | {} | {} | {} | {} |\n", &f == &formats.front() ? kind : "", f.title,
                         endings(f.extensions), saved(f), f.notes);
}

}  // namespace

std::string format_table() {
  std::string table = "| | format | read | write | |\n| --- | --- | --- | --- | --- |\n";
  const auto saved = [](const FileFormat& f) { return endings(f.saved_as); };
  add_rows(table, "volumes, projections", volume_formats(), [&](const VolumeFormat& f) {
    return saved(f) + (f.saved_as.empty() || f.holds_projections ? "" : " (volumes)");
  });
  add_rows(table, "scans", scan_formats(), saved);
  add_rows(table, "geometries", geometry_formats(), saved);
  add_rows(table, "PET lists", list_formats(), saved);
  add_rows(table, "PET scanners", scanner_formats(), saved);
  return table;
}

}  // namespace backlit
