// Varian TrueBeam and ProBeam: Scan.xml, the projections as .xim in Acquisitions below it, air scans in Calibrations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/obi.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/volumes/scanners/varian.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// All .xim files with the prefix below a folder, at most four folders deep, in natural order.
std::vector<fs::path> files_below(const fs::path& folder, const std::string& prefix) {
  constexpr std::size_t most = 100'000;
  std::vector<fs::path> files;
  std::error_code error;
  for (auto it = fs::recursive_directory_iterator(folder, error); it != fs::recursive_directory_iterator();
       it.increment(error)) {
    if (error || files.size() > most) break;
    if (it.depth() > 3) it.disable_recursion_pending();
    const std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && has_extension(it->path(), {".xim"})) files.push_back(it->path());
  }
  sort_naturally(files);
  return files;
}

double number_of(const XimImage& image, const char* name, double otherwise) {
  const auto found = image.numbers.find(name);
  return found != image.numbers.end() && std::isfinite(found->second) ? found->second : otherwise;
}

struct TrueBeamFrames {
  std::vector<fs::path> files;
  std::vector<double> angles, chamber;  ///< degrees, counts
  std::vector<glm::dvec2> moved;        ///< of the detector, along columns and rows, mm
  std::vector<std::string> left_out;
};

/// Reads the frames. Frames without an image or without an angle are left out.
TrueBeamFrames read_frames(const fs::path& folder, const Detector& d) {
  TrueBeamFrames frames;
  for (const fs::path& file : files_below(folder / "Acquisitions", "Proj")) {
    const XimImage image = read_xim_header(file);
    if (image.columns != d.columns || image.rows != d.rows || !image.numbers.contains("KVSourceRtn")) {
      frames.left_out.push_back(file.filename().string());
      continue;
    }
    frames.files.push_back(file);
    frames.angles.push_back(number_of(image, "KVSourceRtn", 0));
    frames.moved.push_back(10.0 *
                           glm::dvec2(number_of(image, "KVDetectorLat", 0), number_of(image, "KVDetectorLng", 0)));
    frames.chamber.push_back(number_of(image, "KVNormChamber", 0));
  }
  return frames;
}

glm::dvec2 middle_of(const std::vector<glm::dvec2>& places) {
  glm::dvec2 middle(0);
  for (int a = 0; a < 2; ++a) {
    std::vector<double> values;
    for (const glm::dvec2& place : places) values.push_back(place[a]);
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    middle[a] = *half;
  }
  return middle;
}

/// Sets the air scan beside the scan as flat, and scales the projections by their chamber values.
void set_air(ScanFile& file, const fs::path& folder, const TrueBeamFrames& frames, HeaderFields& fields) {
  file.kind = ScanFile::Kind::counts;
  const auto air = files_below(folder / "Calibrations", "Filter");
  if (air.empty()) {
    file.notes.emplace_back(no_flats);
    return;
  }
  const XimImage image = read_xim_header(air.front());
  if (image.columns != file.scan.detector.columns || image.rows != file.scan.detector.rows) {
    file.notes.push_back(fmt::format("{} is of another size than the projections: not used", air.front().string()));
    file.notes.emplace_back(no_flats);
    return;
  }
  set_air_scan(file, air.front(), {number_of(image, "KVNormChamber", 0), "KVNormChamber"}, frames.chamber, fields);
}

/// Conventions as in RTK's reader: the gantry angle is 180 degrees minus the source's. The detector is shifted by
/// KVDetectorLat and KVDetectorLng (cm) along columns and rows, in each view. Rows run upwards.
ScanFile load_truebeam(const fs::path& path, bool) {
  HeaderFields fields = HeaderFields::of_xml(path);
  Detector d;
  d.columns = fields.require_count("ImagerSizeX", "columns of the detector", 1 << 20, "px");
  d.rows = fields.require_count("ImagerSizeY", "rows of the detector", 1 << 20, "px");
  d.pixel_u = fields.require_positive("ImagerResX", "width of a pixel", "mm");
  d.pixel_v = fields.require_positive("ImagerResY", "height of a pixel", "mm");
  Trajectory t;
  t.source_to_axis = fields.require_positive("SAD", "source to axis", "mm");
  t.source_to_detector = fields.require_positive("SID", "source to detector", "mm");
  if (t.source_to_detector < t.source_to_axis) fields.fail("SID", "is less than SAD", "are the two exchanged?");
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  TrueBeamFrames frames = read_frames(folder, d);
  if (frames.files.empty() && has_obi_images(folder)) return load_obi(path);
  if (frames.files.empty())
    throw InputError(path.string(),
                     fmt::format("no Acquisitions/*/Proj*.xim of {} x {} pixels below it", d.columns, d.rows),
                     "copy the whole folder of the scan");
  for (const double angle : frames.angles) t.angles_deg.push_back(180 - angle);
  fields.note_fact("angles of the source", angles_text(frames.angles), "KVSourceRtn of each .xim");
  const glm::dvec2 middle = middle_of(frames.moved);
  const std::string source = "KVDetectorLat, KVDetectorLng of the .xim";
  fields.note_fact("detector moved", fmt::format("{:.6g} x {:.6g} mm", middle.x, middle.y),
                   source + ", the middle one");
  t.placement.offset_u = -middle.x / d.pixel_u;
  t.placement.offset_v = -middle.y / d.pixel_v;
  follow_detector(t, d, frames.moved, middle, source, fields);
  ScanFile file = scan_without_data(path, d, t);
  set_projection_files(file, frames.files);
  set_air(file, folder, frames, fields);
  fields.add_to(file);
  for (const std::string& name : frames.left_out)
    file.unused.push_back(fmt::format("{} = (a file: no image of the detector's size, or no KVSourceRtn)", name));
  return file;
}

}  // namespace

ScanFormat truebeam_format() {
  ScanFormat f;
  f.name = "truebeam";
  f.title = "Varian Scan.xml";
  f.extensions = {"scan.xml"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.find("<SAD>") != std::string::npos && front.bytes.find("<ImagerSizeX>") != std::string::npos;
  };
  f.load = load_truebeam;
  f.notes = "with its `.xim` in `Acquisitions`, air scans in `Calibrations`; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
