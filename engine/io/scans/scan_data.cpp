#include <backlit/io/scans/scan_data.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/io/volumes/stack_source.hpp>

namespace backlit {
namespace {

void check_size(const StackLayout& layout, const Detector& d, const std::string& spec, const Complain& complain) {
  if (layout.columns != d.columns || layout.rows != d.rows)
    complain(fmt::format("images of {} x {} pixels in {} where the detector has {} x {}", layout.columns, layout.rows,
                         spec, d.columns, d.rows),
             "are they of the same scan?");
}

}  // namespace

std::shared_ptr<ProjectionSource> open_projections(std::unique_ptr<StackReader> reader, const std::string& spec,
                                                   const Scan& scan, const Complain& complain, double scale) {
  const StackLayout layout = stack_layout(reader->info(), scan.detector.rows, scan.view_count());
  check_size(layout, scan.detector, spec, complain);
  if (layout.views != scan.view_count())
    complain(fmt::format("{} images in {} but the trajectory has {} views", layout.views, spec, scan.view_count()),
             "give one angle a view; angles_range = [first, count] takes a part of a list");
  return std::make_shared<StackSource>(std::move(reader), spec, scan, layout.sinogram, scale);
}

std::shared_ptr<ProjectionSource> open_frames(const std::string& spec, const Scan& scan, const Complain& complain) {
  return open_frames(open_stack(spec), spec, scan, complain);
}

std::shared_ptr<ProjectionSource> open_frames(std::unique_ptr<StackReader> reader, const std::string& spec,
                                              const Scan& scan, const Complain& complain) {
  const StackLayout layout = stack_layout(reader->info(), scan.detector.rows, 0);
  check_size(layout, scan.detector, spec, complain);
  Scan frames{scan.detector, std::vector<View>(static_cast<std::size_t>(layout.views), scan.views.front())};
  return std::make_shared<StackSource>(std::move(reader), spec, std::move(frames), layout.sinogram);
}

}  // namespace backlit
