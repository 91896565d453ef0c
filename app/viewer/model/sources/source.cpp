#include "model/sources/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include "model/sources/list_source.hpp"

namespace backlit::viewer {
namespace {

struct Demo {
  std::string name, phantom;
  double extent;  ///< mm, the field of view
  std::int64_t columns, rows, views;
};

const std::vector<Demo>& demos() {
  static const std::vector<Demo> all{{"demo:head", "forbild-head", 260, 96, 96, 120},
                                     {"demo:spheres", "spheres", 220, 64, 64, 60},
                                     {"demo:shepp-logan", "shepp-logan-3d", 260, 96, 96, 90},
                                     {"demo:bar", "ctp528", 160, 176, 16, 200}};
  return all;
}

/// Simulates projections of a phantom on a circle scaled to the phantom.
Source open_demo(const std::string& path, const Watch& watch) {
  const auto demo = std::find_if(demos().begin(), demos().end(), [&](const Demo& d) { return d.name == path; });
  if (demo == demos().end())
    throw InputError(path, "no such example", fmt::format("choose one of {}", fmt::join(demo_names(), ", ")));
  const Phantom phantom = load_phantom(demo->phantom);
  const double magnification = 1.5, pixel = magnification * demo->extent / static_cast<double>(demo->columns);
  Projections p;
  p.scan.detector = {.columns = demo->columns, .rows = demo->rows, .pixel_u = pixel, .pixel_v = pixel};
  const auto angles = equal_angles(demo->views);
  p.scan.views = circular_views(p.scan.detector, angles, 1000, 1000 * magnification);
  p = Projections(p.scan);
  const std::int64_t pixels = p.scan.detector.pixels();
  in_batches(watch, "simulate", demo->views, pixels, "views", [&](std::int64_t first, std::int64_t count) {
    project_phantom(
        phantom, p.scan, first, count, 1,
        p.values.span().subspan(static_cast<std::size_t>(first * pixels), static_cast<std::size_t>(count * pixels)));
  });
  ScanFile file;
  file.path = path;
  file.scan = p.scan;
  file.angles_deg = angles;
  file.projections = std::make_shared<MemorySource>(std::move(p));
  return source_of(std::make_shared<Session>(std::move(file)));
}

/// The scan with all lengths multiplied by a pixel's side, which the file does not give.
ScanFile with_pixel(ScanFile file, double mm) {
  file.scan.detector.pixel_u *= mm;
  file.scan.detector.pixel_v *= mm;
  for (View& view : file.scan.views)
    for (Vec3* v : {&view.source, &view.center, &view.u, &view.v}) *v *= mm;
  if (file.volume) {
    file.volume->spacing *= mm;
    file.volume->center *= mm;
  }
  file.projections = std::make_shared<PlacedViews>(file.projections, file.scan);
  return file;
}

Source open_scan(const std::string& path, const Watch& watch, double pixel_mm) {
  ScanFile file = load_scan(path);
  const bool unknown = !file.pixel_size_known, given = unknown && pixel_mm > 0;
  if (given) file = with_pixel(std::move(file), pixel_mm);
  file.pixel_size_known = !unknown || given;
  Source source = source_of(std::make_shared<Session>(std::move(file), SessionOptions{}, watch));
  if (!unknown) return source;
  auto info = std::make_shared<SourceInfo>(*source.info);
  info->pixel_size_in_file = false;
  source.info = info;
  return source;
}

Source open_volume(const std::string& path, const Watch& watch, double pixel_mm, double slices_mm) {
  auto [volume, replaced] = load_volume_to_show(path, watch);
  const StackInfo stack = open_stack(path)->info();
  auto info = std::make_shared<SourceInfo>();
  info->kind = SourceInfo::Kind::volume;
  info->path = path;
  info->pixel_size_in_file = stack.spacing.has_value();
  info->pixel_size_known = info->pixel_size_in_file || pixel_mm > 0;
  info->patient = stack.format == "dicom" || stack.format == "nifti";
  if (!info->pixel_size_in_file && pixel_mm > 0) volume.grid.spacing *= pixel_mm;
  if (!info->pixel_size_in_file && slices_mm > 0) volume.grid.spacing.z = slices_mm;
  info->grid = volume.grid;
  if (replaced > 0)
    info->notes.push_back(
        fmt::format("{} values are no numbers (NaN or infinite); they are shown as the smallest value", replaced));
  return {info, nullptr, std::make_shared<const Volume>(std::move(volume)), nullptr};
}

}  // namespace

const std::vector<std::string>& demo_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Demo& d : demos()) list.push_back(d.name);
    list.emplace_back(list_demo);
    return list;
  }();
  return names;
}

Source source_of(std::shared_ptr<Session> session) {
  auto info = std::make_shared<SourceInfo>();
  const ScanFile& file = session->file();
  info->path = file.path.string();
  info->scan = file.scan;
  info->angles_deg = file.angles_deg;
  info->grid = session->grid();
  info->grid_in_file = session->file().volume.has_value();
  info->center_px = session->report().center_px;
  info->has_views = session->measured() != nullptr;
  info->corrected_in_file = !(file.corrections == CorrectionOptions{});
  info->raw = info->has_views && file.kind == ScanFile::Kind::counts;
  info->pixel_size_known = file.pixel_size_known;
  info->patient = file.patient_frame;
  info->notes = file.notes;
  if (!info->has_views) info->notes.emplace_back("No projections: the scan file has no [data]");
  return {info, std::move(session), nullptr, nullptr};
}

Source open_source(const std::string& path, const PetState& pet, const Watch& watch, double pixel_mm,
                   double slices_mm) {
  if (path == list_demo) return open_list_demo(watch);
  if (path.starts_with("demo:")) return open_demo(path, watch);
  if (is_list_mode(path)) return open_list(path, pet, watch);
  if (is_scan(path)) return open_scan(path, watch, pixel_mm);
  return open_volume(path, watch, pixel_mm, slices_mm);
}

}  // namespace backlit::viewer
