// HDF5 in Data Exchange layout (De Carlo et al., J. Synchrotron Rad. 21, 2014): parallel-beam scans of synchrotrons.
#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/scans/scanners/scanner_scan.hpp"
#include "io/scans/unused_sets.hpp"
#include "io/volumes/hdf5.hpp"

namespace backlit {
namespace {

std::string exchange(const std::filesystem::path& path, const char* name) {
  return fmt::format("{}:/exchange/{}", path.string(), name);
}

bool has(const std::filesystem::path& path, const char* name) {
  return formats::hdf5_has(path, fmt::format("/exchange/{}", name));
}

/// exchange/data (views, rows, columns), data_white, data_dark (both optional), theta in degrees. The layout holds no
/// reliable pixel size: 1 mm is assumed, with a note. Throws InputError naming the data set that is missing or does not
/// fit.
ScanFile load_data_exchange(const std::filesystem::path& path) {
  for (const char* name : {"data", "theta"})
    if (!has(path, name))
      throw InputError(path.string(), fmt::format("no data set /exchange/{}: not a scan in Data Exchange layout", name),
                       "write a .scan.toml beside it whose [data] projections is \"file.h5:/path\"");
  auto reader = open_stack(exchange(path, "data"));

  Trajectory trajectory;
  trajectory.kind = Trajectory::Kind::parallel;
  trajectory.angles_deg = read_numbers(exchange(path, "theta"));
  Detector detector;
  detector.columns = reader->info().columns;
  detector.rows = reader->info().rows;

  ScanFile file;
  file.path = path;
  file.kind = ScanFile::Kind::counts;
  file.scan = {detector, make_views(trajectory, detector)};
  file.scan.check(path.c_str());
  file.angles_deg = trajectory.angles_deg;
  file.trajectory_toml = geometry_toml(detector, trajectory);
  file.pixel_size_known = false;
  file.notes.emplace_back(
      "this layout has no fixed place for the pixel size: 1 mm is assumed, so lengths are in pixels");
  const auto complain = [&](const char* name) {
    return [&, name](const std::string& problem, const std::string& remedy) {
      throw InputError(exchange(path, name), problem, remedy);
    };
  };
  file.projections = open_projections(std::move(reader), exchange(path, "data"), file.scan, complain("data"));
  if (has(path, "data_white"))
    file.flats = open_frames(exchange(path, "data_white"), file.scan, complain("data_white"));
  else
    file.notes.emplace_back(no_flats);
  if (has(path, "data_dark")) file.darks = open_frames(exchange(path, "data_dark"), file.scan, complain("data_dark"));
  HeaderFields fields(path.string());
  const std::string name = path.filename().string();
  fields.note_fact("angles of the views", angles_text(file.angles_deg), name + ", /exchange/theta, degrees");
  note_image_size(fields, detector, name + ", /exchange/data");
  fields.note_fact("pixels", "1 x 1 mm", "assumed");
  if (file.flats)
    fields.note_fact("flats", fmt::format("{}", file.flats->scan().view_count()), name + ", /exchange/data_white");
  if (file.darks)
    fields.note_fact("darks", fmt::format("{}", file.darks->scan().view_count()), name + ", /exchange/data_dark");
  list_unused_sets(path, {"/exchange/data", "/exchange/theta", "/exchange/data_white", "/exchange/data_dark"}, fields);
  fields.add_to(file);
  return file;
}

}  // namespace

namespace formats {

ScanFormat data_exchange_format() {
  ScanFormat f;
  f.name = "data exchange";
  f.title = "HDF5 in Data Exchange layout";
  f.extensions = {".h5", ".hdf5", ".nxs", ".hdf", ".he5"};
  f.recognizes = [](const FileFront& front) { return is_hdf5(front) && has(front.path, "theta"); };
  f.load = [](const std::filesystem::path& path, bool) { return load_data_exchange(path); };
  f.notes = "parallel beams, with flats and darks; pixels of 1 mm";
  return f;
}

}  // namespace formats
}  // namespace backlit
