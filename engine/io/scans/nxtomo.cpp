// NXtomo (NeXus): frames of projections, flats and darks in one stack; image_key gives their kind.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/volumes/stack_source.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/unused_sets.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/hdf5.hpp"
#include "io/volumes/stacks/selected_images.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// The group of a scan: /entry, /entry0000, /entry1/tomo_entry or any other that holds frames with a key.
std::string entry_of(const fs::path& path) {
  for (const std::string& root : hdf5_roots(path))
    for (const char* below : {"", "/tomo_entry"}) {
      std::string entry = fmt::format("/{}{}", root, below);
      if (hdf5_has(path, entry + "/instrument/detector/image_key")) return entry;
    }
  return {};
}

/// Data sets of one entry, by the first of several names that exists.
class Entry {
 public:
  Entry(const fs::path& path, std::string entry) : path_(path), entry_(std::move(entry)) {}

  std::optional<std::string> find(const std::vector<const char*>& names) const {
    for (const char* name : names)
      if (const std::string full = entry_ + name; hdf5_has(path_, full)) {
        used_.insert(full);
        return full;
      }
    return {};
  }
  std::string require(const std::vector<const char*>& names) const {
    if (const auto found = find(names)) return *found;
    throw InputError(path_.string(), fmt::format("has no data set {}{}", entry_, names.front()),
                     "write a .scan.toml beside it that names its data");
  }
  std::string spec(const std::string& name) const { return path_.string() + ":" + name; }
  std::vector<double> numbers(const std::string& name) const { return read_numbers(spec(name)); }
  std::string units(const std::string& name) const { return lower_case(hdf5_units(path_, name)); }
  /// What find() and require() found so far, and under /data, where the definition wants links to it.
  std::set<std::string> used() const {
    std::set<std::string> all = used_;
    for (const std::string& name : used_) all.insert(entry_ + "/data" + name.substr(name.rfind('/')));
    return all;
  }
  std::string source(const std::string& name) const { return fmt::format("{}, {}", path_.filename().string(), name); }

 private:
  const fs::path& path_;
  std::string entry_;
  mutable std::set<std::string> used_;
};

/// mm in a unit of length; the standard's unit is the metre.
double millimetres(const std::string& unit, const std::string& where) {
  if (unit.empty() || unit == "m" || unit.starts_with("met")) return 1e3;
  if (unit == "mm" || unit.starts_with("millimet")) return 1;
  if (unit == "um" || unit == "µm" || unit.starts_with("micromet") || unit == "micron" || unit == "microns")
    return 1e-3;
  if (unit == "nm" || unit.starts_with("nanomet")) return 1e-6;
  if (unit == "cm") return 10;
  throw InputError(where, fmt::format("its unit is '{}'", unit), "m, cm, mm, um and nm are known");
}

struct Frames {
  std::vector<std::int64_t> projections, flats, darks;
  std::int64_t invalid = 0;
};

/// Sorts frames by image_key: 0 a projection, 1 a flat, 2 a dark, 3 invalid. ESRF's control key is negative for
/// alignment frames.
Frames sort_frames(const Entry& entry, std::int64_t images) {
  const auto keys = entry.numbers(entry.require({"/instrument/detector/image_key"}));
  std::vector<double> control = keys;
  if (const auto name = entry.find({"/instrument/detector/image_key_control"})) control = entry.numbers(*name);
  // A file that is still being written may have more keys than images, or fewer.
  const auto count = std::min<std::size_t>({keys.size(), control.size(), static_cast<std::size_t>(images)});
  Frames frames;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    if (keys[i] == 0 && control[i] >= 0)
      frames.projections.push_back(number);
    else if (keys[i] == 1)
      frames.flats.push_back(number);
    else if (keys[i] == 2)
      frames.darks.push_back(number);
    else
      ++frames.invalid;
  }
  return frames;
}

std::shared_ptr<ProjectionSource> frames_of(const std::string& spec, const Scan& scan,
                                            std::vector<std::int64_t> numbers) {
  if (numbers.empty()) return nullptr;
  Scan frames{scan.detector, std::vector<View>(numbers.size(), scan.views.front())};
  return std::make_shared<StackSource>(select_images(open_stack(spec), std::move(numbers)), spec, std::move(frames),
                                       false);
}

/// Whether images are stored mirrored, as the package nxtomo writes it: by a flag, or since its version 1.3 by a turn
/// of the detector by 180 degrees, about y for columns (left and right), about x for rows (up and down).
bool is_flipped(const Entry& entry, const char* flag, const char* turn, const char* meaning, HeaderFields& fields) {
  const auto name = entry.find({flag, turn});
  if (!name) return false;
  const std::vector<double> values = entry.numbers(*name);
  if (values.empty()) return false;
  const bool by_turn = name->ends_with(turn);
  const double degrees = entry.units(*name).starts_with("rad") ? values[0] / radians_per_degree : values[0];
  if (by_turn && std::abs(std::remainder(degrees, 180)) > 1e-3)
    throw InputError(entry.spec(*name), fmt::format("turns the detector by {:.6g} degrees", degrees),
                     "0 and 180 can be read");
  const bool flipped = by_turn ? std::abs(std::remainder(degrees, 360)) > 90 : values[0] != 0;
  fields.note_fact(meaning, flipped ? "mirrored" : "not mirrored", entry.source(*name));
  return flipped;
}

/// The definition states neither the first row nor the turning sense. As in other programs, slice k is row k. In
/// NeXus's frame the sample turns right-handed about y, which is up, and columns run along x, to the left along the
/// beam. Where the first row is the upper one, the volume then is right-handed and upside down.
ScanFile load_nxtomo(const fs::path& path, bool) {
  const Entry entry(path, entry_of(path));
  HeaderFields fields(path.string());
  const std::string data = entry.require({"/instrument/detector/data", "/data/data"});
  auto stack = open_stack(entry.spec(data));
  Frames frames = sort_frames(entry, stack->info().images);
  const std::string rotation = entry.require({"/sample/rotation_angle", "/data/rotation_angle"});
  std::vector<double> angles = entry.numbers(rotation);
  std::erase_if(frames.projections, [&](std::int64_t i) { return i >= static_cast<std::int64_t>(angles.size()); });
  if (frames.projections.empty())
    throw InputError(path.string(), "has no projections (frames whose image_key is 0)", "is it still being written?");
  fields.note_fact("frames",
                   fmt::format("{} projections, {} flats, {} darks, {} others", frames.projections.size(),
                               frames.flats.size(), frames.darks.size(), frames.invalid),
                   entry.source("image_key"));

  Trajectory trajectory;
  trajectory.kind = Trajectory::Kind::parallel;
  const bool radians = entry.units(rotation).starts_with("rad");
  for (const std::int64_t i : frames.projections)
    trajectory.angles_deg.push_back(angles[static_cast<std::size_t>(i)] / (radians ? radians_per_degree : 1));
  fields.note_fact("angles", angles_text(trajectory.angles_deg), entry.source(rotation));

  Detector d;
  d.columns = stack->info().columns;
  d.rows = stack->info().rows;
  note_image_size(fields, d, entry.source(data));
  bool known = true;
  for (auto [names, size] :
       {std::pair{std::vector<const char*>{"/sample/x_pixel_size", "/instrument/detector/x_pixel_size"}, &d.pixel_u},
        {{"/sample/y_pixel_size", "/instrument/detector/y_pixel_size"}, &d.pixel_v}}) {
    const auto name = entry.find(names);
    if (!name) {
      known = false;
      continue;
    }
    const double value = entry.numbers(*name).at(0) * millimetres(entry.units(*name), entry.spec(*name));
    if (!(value > 0) || !std::isfinite(value)) throw InputError(entry.spec(*name), "the pixel size is not positive");
    *size = value;
    fields.note_fact(size == &d.pixel_u ? "width of a pixel" : "height of a pixel", with_unit(value, "mm"),
                     entry.source(*name));
  }
  if (!known) d.pixel_u = d.pixel_v = 1;
  if (const auto axis = entry.find(
          {"/instrument/detector/x_rotation_axis_pixel_position", "/instrument/detector/estimated_cor_from_motor"})) {
    const double offset = entry.numbers(*axis).at(0);
    if (std::isfinite(offset) && std::abs(offset) < static_cast<double>(d.columns)) {
      trajectory.placement.offset_u = offset;
      fields.note_fact("axis from the middle column", with_unit(offset, "px"), entry.source(*axis));
    }
  }
  const bool left_right = is_flipped(entry, "/instrument/detector/x_flipped", "/instrument/detector/transformations/ry",
                                     "columns of the images", fields),
             up_down = is_flipped(entry, "/instrument/detector/y_flipped", "/instrument/detector/transformations/rx",
                                  "rows of the images", fields);
  place_first_pixel(trajectory.placement, up_down, left_right);
  ScanFile file = scan_without_data(path, d, trajectory);
  file.kind = ScanFile::Kind::counts;
  file.pixel_size_known = known;
  if (!known) file.notes.emplace_back("the file gives no pixel size: 1 mm is assumed, so lengths are in pixels");
  const std::string spec = entry.spec(data);
  file.projections =
      std::make_shared<StackSource>(select_images(std::move(stack), frames.projections), spec, file.scan, false);
  file.flats = frames_of(spec, file.scan, frames.flats);
  file.darks = frames_of(spec, file.scan, frames.darks);
  if (!file.flats) file.notes.emplace_back(no_flats);
  list_unused_sets(path, entry.used(), fields);
  fields.add_to(file);
  return file;
}

}  // namespace

ScanFormat nxtomo_format() {
  ScanFormat f;
  f.name = "nxtomo";
  f.title = "NXtomo";
  f.extensions = {".nxs", ".nx", ".h5", ".hdf5"};
  f.recognizes = [](const FileFront& front) { return is_hdf5(front) && !entry_of(front.path).empty(); };
  f.load = load_nxtomo;
  f.notes =
      "NeXus; parallel beams, frames by `image_key`, files that still grow; tested on files made from the description, "
      "and by the package nxtomo";
  return f;
}

}  // namespace backlit::formats
