#include "io/scans/scanners/obi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/scanners/varian.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// Images of a folder: the scan's, and those of the beam without an object.
struct ObiImages {
  std::vector<fs::path> projections, air;
};

bool is_air_scan(const fs::path& file) {
  const std::string name = lower_case(file.filename().string());
  return std::ranges::any_of(std::initializer_list<const char*>{"filter", "norm", "air", "flood", "blank"},
                             [&](const char* word) { return name.starts_with(word); });
}

/// The images' own offset is removed already.
bool is_dark(const fs::path& file) { return lower_case(file.filename().string()).starts_with("dark"); }

ObiImages find_obi_images(const fs::path& folder) {
  ObiImages images;
  for (const char* below : {".", "Scan0", "Acquisitions", "Calibrations"})
    for (const char* ending : {".hnd", ".hnc"}) {
      std::vector<fs::path> scan;
      for (fs::path& file : files_in((folder / below).lexically_normal(), ending))
        if (is_air_scan(file))
          images.air.push_back(std::move(file));
        else if (!is_dark(file))
          scan.push_back(std::move(file));
      if (images.projections.empty() && below != std::string_view("Calibrations")) images.projections = std::move(scan);
    }
  return images;
}

std::vector<HndHeader> read_headers(const std::vector<fs::path>& files) {
  std::vector<HndHeader> headers;
  for (const fs::path& file : files) {
    headers.push_back(read_hnd_header(file));
    if (headers.back().columns != headers.front().columns || headers.back().rows != headers.front().rows)
      throw InputError(file.string(), "is of another size than the first image", "are these images of one scan?");
  }
  return headers;
}

/// mm: by how much the detector is moved along its columns and rows, as RTK's reader has it.
glm::dvec2 moved_detector(HeaderFields& fields) {
  const bool half = lower_case(fields.text("FanType", "fan").value_or("")) == "halffan";
  glm::dvec2 moved(fields.require("CalibratedDetectorOffsetX", "detector's calibrated place along columns", "mm"),
                   fields.require("CalibratedDetectorOffsetY", "detector's calibrated place along rows", "mm"));
  if (half) moved.x += fields.require("DetectorPosLat", "detector moved along columns, half fan", "mm");
  return moved;
}

/// mm in a unit of the headers' lengths: those below 300 are in cm.
double header_unit(const HndHeader& h) { return h.to_axis < 300 ? 10 : 1; }

/// mm, from an image's header.
glm::dvec2 moved_by_header(const HndHeader& h, const std::string& name, double unit, HeaderFields& fields) {
  const glm::dvec2 moved = unit * glm::dvec2(h.lateral, h.along);
  fields.note_fact("detector moved", fmt::format("{:.6g} x {:.6g} mm", moved.x, moved.y),
                   fs::path(name).filename().string() + ", IDUPosLat, IDUPosLng");
  return moved;
}

/// Distances and place of the detector from the images' own headers.
glm::dvec2 take_header_geometry(const HndHeader& h, const std::string& name, Trajectory& t, HeaderFields& fields) {
  if (!(h.to_axis > 0) || !(h.to_detector > h.to_axis))
    throw InputError(name,
                     fmt::format("its header has the axis at {:g} and the detector at {:g}", h.to_axis, h.to_detector),
                     "put ProjectionInfo.xml beside it, or write a .scan.toml");
  const double unit = header_unit(h);
  const std::string file = fs::path(name).filename().string();
  t.source_to_axis = unit * h.to_axis;
  t.source_to_detector = unit * h.to_detector;
  fields.note_fact("unit of the header's lengths", unit > 1 ? "cm" : "mm", "assumed, by SAD");
  fields.note_fact("source to axis", with_unit(t.source_to_axis, "mm"), file + ", SAD");
  fields.note_fact("source to detector", with_unit(t.source_to_detector, "mm"), file + ", SFD");
  return moved_by_header(h, name, unit, fields);
}

/// Flat from an air scan, scaled by the chamber that monitors the beam; else RTK's constant for .hnd.
void set_open_beam_of(ScanFile& file, const ObiImages& images, const std::vector<HndHeader>& headers,
                      HeaderFields& fields) {
  constexpr double usual_counts = 139000;
  file.kind = ScanFile::Kind::counts;
  if (!images.air.empty()) {
    const fs::path& path = images.air.front();
    std::vector<double> chambers;
    for (const HndHeader& h : headers) chambers.push_back(h.chamber);
    return set_air_scan(file, path, {read_hnd_header(path).chamber, "CTNormChamber"}, chambers, fields);
  }
  if (has_extension(images.projections.front(), {".hnd"})) {
    set_open_beam(file, usual_counts);
    fields.note_fact("counts of the open beam", fmt::format("{:.0f}", usual_counts),
                     "RTK's constant; an air scan beside the images (Norm*.hnd, Air*.hnd) takes its place");
    return;
  }
  file.notes.emplace_back(no_flats);
}

}  // namespace

bool has_obi_images(const fs::path& folder) { return !find_obi_images(folder).projections.empty(); }

/// Conventions as in RTK's reader: CTProjectionAngle is the source's angle; rows run upwards.
ScanFile load_obi(const fs::path& path) {
  std::error_code error;
  const bool bare = fs::is_directory(path, error);
  HeaderFields fields = bare ? HeaderFields(path.string()) : HeaderFields::of_xml(path);
  const fs::path folder = bare ? path : path.parent_path().empty() ? fs::path(".") : path.parent_path();
  const ObiImages images = find_obi_images(folder);
  if (images.projections.empty())
    throw InputError(path.string(), "no .hnd or .hnc images beside it, or in Scan0",
                     "copy the whole folder of the scan");
  const std::vector<HndHeader> headers = read_headers(images.projections);
  const HndHeader& first = headers.front();
  const std::string first_name = images.projections.front().string();

  Detector d;
  d.columns = first.columns;
  d.rows = first.rows;
  d.pixel_u = first.pixel_u;
  d.pixel_v = first.pixel_v;
  Trajectory t;
  glm::dvec2 moved(0);
  if (bare) {
    moved = take_header_geometry(first, first_name, t, fields);
  } else {
    const bool calibrated = fields.has("CalibratedSAD");
    const char *to_axis = calibrated ? "CalibratedSAD" : "SAD", *to_detector = calibrated ? "CalibratedSID" : "SID";
    t.source_to_axis = fields.require_positive(to_axis, "source to axis", "mm");
    t.source_to_detector = fields.require_positive(to_detector, "source to detector", "mm");
    if (t.source_to_detector < t.source_to_axis)
      fields.fail(to_detector, fmt::format("is less than {}", to_axis), "are the two exchanged?");
    moved = calibrated ? moved_detector(fields) : moved_by_header(first, first_name, header_unit(first), fields);
  }
  const double unit = header_unit(first);
  std::vector<glm::dvec2> places;  // of each view, where the first one's is `moved`
  for (const HndHeader& h : headers) {
    t.angles_deg.push_back(h.angle);
    places.push_back(moved + unit * glm::dvec2(h.lateral - first.lateral, h.along - first.along));
  }
  t.placement.offset_u = -moved.x / d.pixel_u;
  t.placement.offset_v = -moved.y / d.pixel_v;
  follow_detector(t, d, places, moved, "IDUPosLat, IDUPosLng of each image", fields);
  fields.note_fact("angles of the source", angles_text(t.angles_deg), "CTProjectionAngle of each image");
  fields.note_fact("pixels", fmt::format("{:.6g} x {:.6g} mm", d.pixel_u, d.pixel_v),
                   fs::path(first_name).filename().string() + ", IDUResolutionX, IDUResolutionY");
  ScanFile file = scan_without_data(path, d, t);
  set_projection_files(file, images.projections);
  set_open_beam_of(file, images, headers, fields);
  fields.add_to(file);
  return file;
}

ScanFormat obi_format() {
  ScanFormat f;
  f.name = "obi";
  f.title = "Varian ProjectionInfo.xml";
  f.extensions = {"projectioninfo.xml"};
  f.folders = true;
  f.recognizes = [](const FileFront& front) {
    if (!front.bytes.empty())
      return front.bytes.find("<CalibratedSAD>") != std::string::npos ||
             (has_extension(front.path, {"projectioninfo.xml"}) && front.bytes.find("<?xml") != std::string::npos);
    std::error_code error;
    if (!fs::is_directory(front.path, error)) return false;
    bool images = false;
    for (const auto& entry : fs::directory_iterator(front.path, error)) {
      if (has_extension(entry.path(), {".xml", ".toml", ".csv"})) return false;  // it holds the geometry
      images = images || has_extension(entry.path(), {".hnd", ".hnc"}) || entry.path().filename() == "Scan0";
    }
    return images && has_obi_images(front.path);
  };
  f.load = [](const fs::path& path, bool) { return load_obi(path); };
  f.notes =
      "beside its `.hnd` or `.hnc` images or above their `Scan0`; or a folder of such images alone, whose headers hold "
      "the geometry; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
