#include "model/actions/action_groups.hpp"
#include "model/sources/raw_import.hpp"
#include "model/sources/scan_import.hpp"

namespace backlit::viewer {
namespace {

/// FILE NX NY NZ TYPE [little|big [HEADER [MM | X Y Z]]]
RawImport raw_from(const Action& a) {
  const std::size_t n = a.arguments.size();
  RawImport raw;
  raw.file = a.arguments[0];
  for (std::size_t i = 0; i < 3; ++i) raw.size[i] = integer(a, i + 1);
  raw.type = a.arguments[4];
  if (n > 5 && a.arguments[5] != "little" && a.arguments[5] != "big")
    throw InputError(a.name, "'" + a.arguments[5] + "' is no order of bytes", "little or big");
  raw.big_endian = n > 5 && a.arguments[5] == "big";
  raw.header = n > 6 ? integer(a, 6) : 0;
  if (n == 9) throw InputError(a.name, "two spacings", "give one, or three");
  raw.spacing = n > 9 ? vector(a, 7) : Vec3(n > 7 ? number(a, 7) : 1);
  return raw;
}

void import_file(Model& m, const Action& a) {
  const std::size_t n = a.arguments.size();
  if (n == 0) return require(m.hooks.ask_path, "import")(a, "");
  if (n == 1) return require(m.hooks.show_import, "import")(a.arguments[0]);
  if (n < 4) return m.open(a.arguments[0], number(a, 1), n > 2 ? number(a, 2) : 0);
  if (n < 5) throw InputError(a.name, "too few arguments", "write: import FILE NX NY NZ TYPE");
  m.open(save_raw_header(raw_from(a)));
}

/// flats=FILES, darks=FILES, kind=counts|line_integrals, first_row=top|bottom, first_column=left|right
void take_choice(const Action& a, const std::string& text, ScanImport& scan) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string key = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
  const auto is_first = [&](const char* first, const char* second) {
    if (value != first && value != second)
      throw InputError(a.name, fmt::format("{} is '{}'", key, value), fmt::format("{} or {}", first, second));
    return value == first;
  };
  if (key == "flats")
    scan.flats = value;
  else if (key == "darks")
    scan.darks = value;
  else if (key == "kind")
    scan.counts = is_first("counts", "line_integrals");
  else if (key == "first_row")
    scan.first_row_top = is_first("top", "bottom");
  else if (key == "first_column")
    scan.first_column_left = is_first("left", "right");
  else
    throw InputError(a.name, "'" + text + "' is not known", "flats=, darks=, kind=, first_row= or first_column=");
}

/// IMAGES ARC PIXEL SOURCE_AXIS SOURCE_DETECTOR and choices
void import_scan(Model& m, const Action& a) {
  ScanImport scan = guess_scan(a.arguments[0]);
  scan.arc_deg = number(a, 1);
  scan.pixel_mm = number(a, 2);
  scan.source_to_axis_mm = number(a, 3);
  scan.source_to_detector_mm = number(a, 4);
  for (std::size_t i = 5; i < a.arguments.size(); ++i) take_choice(a, a.arguments[i], scan);
  m.open(save_scan(scan));
}

}  // namespace

std::vector<ActionInfo> import_actions() {
  return {{.name = "import",
           .arguments = "FILE [MM [SLICES_MM] | NX NY NZ TYPE [little|big [HEADER [MM|X Y Z]]]]",
           .help = "Open values without a header (.raw), or TIFF images, of a size and spacing that are chosen with a "
                   "look at the picture; a header, FILE.mhd (FILE.2.mhd where that exists and differs), is written "
                   "beside raw values",
           .menu = "File",
           .title = "Import raw or TIFF ...",
           .least = 0,
           .most = 10,
           .ends_run = true,
           .run = import_file},
          {.name = "import scan",
           .arguments = "IMAGES ARC_DEG PIXEL_MM SOURCE_AXIS_MM SOURCE_DETECTOR_MM [flats=FILES] [darks=FILES] "
                        "[kind=counts|line_integrals] [first_row=top|bottom] [first_column=left|right]",
           .help = "Open TIFF images as the projections of a scan: the angle that they share, the side of a pixel, and "
                   "the two distances (0 0: parallel beams); a scan file, NAME.scan.toml, is written beside them. What "
                   "is left out is guessed from the images and the names beside them",
           .least = 5,
           .most = 10,
           .ends_run = true,
           .run = import_scan}};
}

}  // namespace backlit::viewer
