// Elekta XVI 5: _Frames.xml, a frame a view, beside the .his images.
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr double full_scale = 65536;

/// The panel counts downwards from full scale; 0 and 65535 are not counts: they stand for the open beam.
class PanelCounts final : public ProjectionSource {
 public:
  explicit PanelCounts(std::shared_ptr<ProjectionSource> source) : source_(std::move(source)) {}
  const Scan& scan() const override { return source_->scan(); }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    source_->read(first, count, out);
    for (float& value : out)
      value = static_cast<float>(value == 0 || value >= full_scale - 1 ? full_scale - 1
                                                                       : full_scale - static_cast<double>(value));
  }

 private:
  std::shared_ptr<ProjectionSource> source_;
};

struct Frames {
  std::vector<double> angles, u, v;  ///< degrees, mm, mm
};

/// The number of the first element that has one of these names; anonymised files lack letters of some.
double number_of(const tinyxml2::XMLElement& frame, std::initializer_list<const char*> names,
                 const std::string& where) {
  for (const char* const name : names)
    if (const auto* element = frame.FirstChildElement(name); element && element->GetText())
      return parse_numbers(element->GetText(), 1, fmt::format("{}:{}", where, element->GetLineNum()), name)[0];
  throw InputError(fmt::format("{}:{}", where, frame.GetLineNum()), fmt::format("the frame has no {}", *names.begin()),
                   "the file is damaged");
}

void read_frames(const tinyxml2::XMLElement& element, const std::string& where, Frames& frames) {
  for (const auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (lower_case(child->Name()) != "frame") {
      read_frames(*child, where, frames);
      continue;
    }
    frames.angles.push_back(number_of(*child, {"GantryAngle", "Angle", "antryAngle", "Gantryngle"}, where));
    frames.u.push_back(number_of(*child, {"UCentre", "Uentre"}, where));
    frames.v.push_back(number_of(*child, {"VCentre", "Ventre"}, where));
  }
}

std::string range_text(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  return fmt::format("{:.6g} to {:.6g} mm", low, high);
}

/// As RTK's readers have it: distances are not in the file, the angle is the source's, UCentre and VCentre are where
/// the axis falls on the panel, rows run upwards.
ScanFile load_elekta(const fs::path& path, bool) {
  HeaderFields fields = HeaderFields::of_xml(path);
  const std::string text = read_small_text(path);
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  Frames frames;
  read_frames(*document.RootElement(), path.string(), frames);
  if (frames.angles.empty()) throw InputError(path.string(), "holds no frames", "the file is damaged");
  auto images = files_in(path.parent_path().empty() ? "." : path.parent_path(), ".his");
  if (images.empty()) throw InputError(path.string(), "no .his images beside it", "put it into the folder of its scan");
  if (images.size() != frames.angles.size())
    throw InputError(path.string(), fmt::format("{} frames, but {} .his images", frames.angles.size(), images.size()),
                     "copy the whole folder of the scan");
  const StackInfo info = open_stack(images.front().string())->info();
  Detector d;
  d.columns = info.columns;
  d.rows = info.rows;
  d.pixel_u = info.pixel_mm.value().x;
  d.pixel_v = info.pixel_mm.value().y;

  const std::string first = images.front().filename().string(), name = path.filename().string();
  note_image_size(fields, d, first + ", ULX to BRY");
  fields.note_fact("pixels", fmt::format("{:.6g} x {:.6g} mm", d.pixel_u, d.pixel_v),
                   "409.6 mm, the side of the machine's panel, over the pixels of " + first);

  Trajectory t;
  t.source_to_axis = 1000;
  t.source_to_detector = 1536;
  t.angles_deg = frames.angles;
  for (std::size_t i = 0; i < frames.u.size(); ++i)
    t.shifts.push_back({frames.u[i] / d.pixel_u, frames.v[i] / d.pixel_v});
  fields.note_fact("source to axis, source to detector", "1000 mm, 1536 mm", "of the machine, not in the file");
  fields.note_fact("angles of the source", angles_text(frames.angles), name + ", GantryAngle of each frame");
  fields.note_fact("axis on the panel, across", range_text(frames.u), name + ", UCentre of each frame");
  fields.note_fact("axis on the panel, along", range_text(frames.v), name + ", VCentre of each frame");
  fields.note_fact("counts of the open beam", "65536", "full scale, from which the panel counts downwards");
  ScanFile file = scan_without_data(path, d, t);
  set_projection_files(file, std::move(images));
  file.projections = std::make_shared<PanelCounts>(file.projections);
  set_open_beam(file, full_scale);
  fields.add_to(file);
  std::erase_if(file.unused, [](const std::string& field) {  // of the first frame only, and told above
    return field.find("GantryAngle") != std::string::npos || field.find("Centre") != std::string::npos;
  });
  return file;
}

}  // namespace

ScanFormat elekta_format() {
  ScanFormat f;
  f.name = "elekta";
  f.title = "Elekta frames";
  f.extensions = {"_frames.xml"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.find("<Frame>") != std::string::npos && (front.bytes.find("entre>") != std::string::npos);
  };
  f.load = load_elekta;
  f.notes = "XVI 5, beside its `.his` images; tested on files made from the description";
  return f;
}

}  // namespace backlit::formats
