// The RabbitCT data set as a scan.
#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/scans/scan_format.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include "io/volumes/rabbitct.hpp"

namespace backlit {
namespace {

/// Views from the file's matrices, with pixels of 0.32 mm. The images are filtered and weighted already; a note says
/// so. Throws InputError naming the file or the first view with an unusable matrix.
ScanFile load_rabbitct_scan(const std::filesystem::path& path) {
  constexpr double pixel_mm = 0.32;  // of the C-arm's detector; the file's matrices do not fix it
  RabbitCt data = open_rabbitct(path);
  Detector detector;
  detector.columns = data.images->info().columns;
  detector.rows = data.images->info().rows;
  detector.pixel_u = detector.pixel_v = pixel_mm;
  ScanFile file;
  file.path = path;
  file.scan.detector = detector;
  for (std::size_t i = 0; i < data.matrices.size(); ++i) {
    try {
      file.scan.views.push_back(view_from_matrix(data.matrices[i], detector, pixel_mm));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: view {}", path.string(), i), error.what());
    }
  }
  file.scan.check(path.c_str());
  file.trajectory_toml = geometry_toml(file.scan);
  const std::string name = path.filename().string();
  file.facts = {{"columns, rows", fmt::format("{} x {} px", detector.columns, detector.rows), name},
                {"views", fmt::format("{} matrices, mm to px", data.matrices.size()), name},
                {"pixels", fmt::format("{} x {} mm", pixel_mm, pixel_mm), "of the C-arm, not in the file"},
                {"HU", fmt::format("{:g} x value + {:g} - 1024", data.hu_scale, data.hu_shift), name}};
  file.notes.emplace_back("the images are filtered and weighted already: reconstruct with `filter` none");
  file.notes.push_back(fmt::format("the file gives no pixel size: the C-arm's {} mm is taken", pixel_mm));
  file.projections = open_projections(
      std::move(data.images), path.string(), file.scan,
      [&](const std::string& problem, const std::string& remedy) { throw InputError(path.string(), problem, remedy); });
  return file;
}

}  // namespace

namespace formats {

ScanFormat rabbitct_scan_format() {
  ScanFormat f;
  f.name = "rabbitct";
  f.title = "RabbitCT data set";
  f.extensions = {".rctd", ".rct"};
  f.recognizes = is_rabbitct;
  f.load = [](const std::filesystem::path& path, bool) { return load_rabbitct_scan(path); };
  f.checks_directions = false;  // filtered rays do not agree with their conjugates
  f.notes = "filtered already: `--filter none`; tested on files made from the description";
  return f;
}

}  // namespace formats
}  // namespace backlit
