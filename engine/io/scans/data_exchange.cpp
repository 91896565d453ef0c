#include "io/scans/data_exchange.hpp"

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/scans/scan_notes.hpp"
#include "io/volumes/formats.hpp"

namespace backlit {
namespace {

std::string exchange(const std::filesystem::path& path, const char* name) {
  return fmt::format("{}:/exchange/{}", path.string(), name);
}

bool has(const std::filesystem::path& path, const char* name) {
  return formats::hdf5_has(path, fmt::format("/exchange/{}", name));
}

}  // namespace

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
  file.notes.emplace_back("the file gives no pixel size: 1 mm is assumed, so lengths are in pixels");
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
  return file;
}

}  // namespace backlit
