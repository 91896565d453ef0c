// CERA's .config (Siemens): an INI file that names projections and, in most cases, a table of 3x4 matrices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/geometry/matrix.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

bool is_true(const std::optional<std::string>& value) { return value && lower_case(*value) == "true"; }

/// Reads "@number", two numbers and three lines of four numbers for each view. Their x, y and z are right-handed mm
/// like ours: ctsimu's table turned by 180 degrees about its axis.
std::vector<ProjectionMatrix> read_table(const fs::path& path) {
  const std::string text = read_small_text(path, std::size_t{256} << 20);
  std::vector<ProjectionMatrix> matrices;
  std::vector<double> numbers;
  const auto finish = [&](const std::string& where) {
    if (numbers.empty()) return;
    if (numbers.size() != 14)
      throw InputError(where, fmt::format("{} numbers where a view has 14", numbers.size()), "two angles and 3 x 4");
    ProjectionMatrix p;
    for (int i = 0; i < 12; ++i) p[i % 4][i / 4] = numbers[static_cast<std::size_t>(i) + 2];
    matrices.push_back(p);
    numbers.clear();
  };
  bool in_views = false;
  for (TextLines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    const std::string where = fmt::format("{}:{}", path.string(), lines.number());
    if (line.starts_with('@')) {
      finish(where);
      in_views = true;
    } else if (in_views && !line.empty() && line.front() != '#') {
      const auto more = parse_numbers(line, 0, where, "an entry");
      numbers.insert(numbers.end(), more.begin(), more.end());
      if (numbers.size() > 14) finish(where);
    }
  }
  finish(path.string());
  if (matrices.empty()) throw InputError(path.string(), "holds no matrices", "a view begins with a line @1");
  return matrices;
}

/// CERA's first pixel is at the image's lower left, rows upwards. FlipU and FlipV mean that the files are stored in the
/// opposite order.
std::vector<View> views_of(const std::vector<ProjectionMatrix>& matrices, const Detector& d, bool flip_u, bool flip_v,
                           const std::string& where) {
  std::vector<View> views;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    try {
      views.push_back(view_from_matrix(matrices[i], d, d.pixel_u));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: view {}", where, i), error.what());
    }
    if (flip_u) views.back().u = -views.back().u;
    if (flip_v) views.back().v = -views.back().v;
  }
  return views;
}

/// Replaces the %04d of "scan_%04d.tif" by a number.
std::string numbered(const std::string& mask, std::int64_t number) {
  const std::size_t percent = mask.find('%'), letter = mask.find('d', percent);
  if (percent == std::string::npos || letter == std::string::npos) return mask;
  std::size_t width = 0;
  for (std::size_t i = percent + 1; i < letter; ++i)
    if (mask[i] >= '0' && mask[i] <= '9')
      width = std::min<std::size_t>(32, 10 * width + static_cast<std::size_t>(mask[i] - '0'));
  return mask.substr(0, percent) + fmt::format("{:0{}}", number, width) + mask.substr(letter + 1);
}

/// Opens the projections: TIFF, or bare numbers, a file a view or one file.
void set_images(ScanFile& file, const fs::path& folder, const std::string& mask, HeaderFields& fields) {
  const std::string type = lower_case(fields.text("ProjectionFileType", "kind of files").value_or("tiff"));
  const auto first = static_cast<std::int64_t>(fields.number("ProjectionStartNum").value_or(0));
  std::vector<fs::path> images;
  for (std::int64_t i = 0; i < file.scan.view_count(); ++i) {
    images.emplace_back(resolve_path(folder, numbered(mask, first + i)));
    if (images.back() == images.front() && i > 0) {  // the mask has no number
      images.resize(1);
      break;
    }
  }
  if (type == "tiff") return set_projection_files(file, std::move(images));
  BareImageFormat format;
  if (type == "raw_float")
    format.samples.type = SampleType::f32;
  else if (type != "raw_uint16")
    fields.fail("ProjectionFileType", fmt::format("'{}' is not read here", type.substr(0, 40)),
                "tiff, raw_uint16 and raw_float are");
  format.samples.big_endian = is_true(fields.text("BigEndian", "values begin with their highest byte"));
  if (fields.number("RawHeaderSize").value_or(0) != 0)
    format.header_bytes = fields.require_count("RawHeaderSize", "bytes in front of the values", 1 << 30);
  set_bare_projections(file, std::move(images), format);
}

ScanFile load_cera(const fs::path& path, bool with_data) {
  HeaderFields fields = HeaderFields::of_ini(path);
  Detector d;
  d.columns = fields.require_count("Projections.NumChannelsPerRow", "columns of the detector", 1 << 20, "px");
  d.rows = fields.require_count("Projections.NumRows", "rows of the detector", 1 << 20, "px");
  d.pixel_u = fields.require_positive("Projections.PixelSizeU", "width of a pixel", "mm");
  d.pixel_v = fields.require_positive("Projections.PixelSizeV", "height of a pixel", "mm");
  const bool flip_u = is_true(fields.text("Projections.FlipU", "columns are stored in reverse order"));
  const bool flip_v = is_true(fields.text("Projections.FlipV", "rows are stored in reverse order"));
  const auto table = fields.text("ProjectionMatrixFilename", "matrices");
  if (!table)
    throw InputError(path.string(), "names no ProjectionMatrixFilename",
                     "write the matrices, or a .scan.toml with the distances");
  ScanFile file;
  file.path = path;
  const fs::path matrices = resolve_path(path.parent_path(), *table);
  file.scan = {d, views_of(read_table(matrices), d, flip_u, flip_v, matrices.string())};
  file.scan.check(path.c_str());
  file.trajectory_toml = geometry_toml(file.scan);
  file.inputs.push_back(matrices);
  const std::int64_t views = fields.require_count("NumProjections", "views", 1'000'000);
  if (views != file.scan.view_count())
    fields.fail("NumProjections", fmt::format("{} views but {} matrices", views, file.scan.view_count()));
  const std::string mask = fields.text("ProjectionFilenameMask", "projections").value_or("");
  if (with_data) {
    set_images(file, path.parent_path(), mask, fields);
    if (lower_case(fields.text("ProjectionDataDomain", "values are").value_or("intensity")) == "intensity")
      set_open_beam(file, fields.require_positive("GlobalI0Value", "counts of the open beam"));
  }
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat cera_format() {
  ScanFormat f;
  f.name = "cera";
  f.title = "CERA configuration";
  f.extensions = {".config"};
  f.recognizes = [](const FileFront& front) { return front.bytes.find("#CERACONFIG") != std::string::npos; };
  f.load = load_cera;
  f.notes = "with its table of 3x4 matrices and TIFF or raw images; tested on scans of the package ctsimu";
  return f;
}

}  // namespace backlit::formats
