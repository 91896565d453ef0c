#include "io/scans/scanners/scanner_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/scans/scan_data.hpp>
#include <backlit/io/volumes/stack_source.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_notes.hpp"
#include "io/text_fields.hpp"
#include "io/volumes/stacks/raw_stack.hpp"
#include "io/volumes/volume_format_list.hpp"

namespace backlit {
namespace fs = std::filesystem;
namespace {

/// One frame with the same value everywhere.
class ConstantFrame final : public ProjectionSource {
 public:
  ConstantFrame(const Scan& scan, double value) : scan_{scan.detector, {scan.views.front()}}, value_(value) {}
  const Scan& scan() const override { return scan_; }
  void read(std::int64_t, std::int64_t, std::span<float> out) override {
    std::fill(out.begin(), out.end(), static_cast<float>(value_));
  }

 private:
  Scan scan_;
  double value_;
};

class ScaledViews final : public ProjectionSource {
 public:
  ScaledViews(std::shared_ptr<ProjectionSource> source, std::vector<double> factors)
      : source_(std::move(source)), factors_(std::move(factors)) {}
  const Scan& scan() const override { return source_->scan(); }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    source_->read(first, count, out);
    const auto pixels = static_cast<std::size_t>(scan().detector.pixels());
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      for (float& value : out.subspan(i * pixels, pixels))
        value = static_cast<float>(value * factors_[static_cast<std::size_t>(first) + i]);
  }

 private:
  std::shared_ptr<ProjectionSource> source_;
  std::vector<double> factors_;
};

Complain complain_of(const fs::path& path) {
  return [path](const std::string& problem, const std::string& remedy) {
    throw InputError(path.string(), problem, remedy);
  };
}

}  // namespace

ScanFile scan_without_data(const fs::path& path, const Detector& detector, const Trajectory& trajectory) {
  ScanFile file;
  file.path = path;
  file.scan = {detector, make_views(trajectory, detector)};
  file.scan.check(path.c_str());
  file.angles_deg = trajectory.angles_deg;
  file.trajectory_toml = geometry_toml(detector, trajectory);
  return file;
}

void set_projections(ScanFile& file, const std::string& spec) {
  file.projections = open_projections(open_stack(spec), spec, file.scan, complain_of(file.path));
  for (auto& input : files_of(spec)) file.inputs.push_back(std::move(input));
}

namespace {

/// Adds what the header of an image says besides the scan's own file.
void add_image_header(ScanFile& file, const fs::path& image) {
  std::error_code error;
  if (!fs::is_regular_file(image, error)) return;
  FileInfo info;
  try {
    const VolumeFormat* format = volume_format_list().find(file_front(image));
    if (format && format->describe) format->describe(image, info);
  } catch (const InputError&) {  // opening the image reports the fault
    return;
  }
  const std::string name = image.filename().string();
  file.facts.insert(file.facts.end(), info.facts.begin(), info.facts.end());
  for (const std::string& field : info.unused) file.unused.push_back(fmt::format("{}: {}", name, field));
}

}  // namespace

void set_projection_files(ScanFile& file, std::vector<fs::path> files) {
  add_image_header(file, files.front());
  file.inputs.insert(file.inputs.end(), files.begin(), files.end());
  const std::string spec = files.front().string();
  file.projections = open_projections(open_files(std::move(files)), spec, file.scan, complain_of(file.path));
}

void set_bare_projections(ScanFile& file, std::vector<fs::path> files, const BareImageFormat& format) {
  file.inputs.insert(file.inputs.end(), files.begin(), files.end());
  const std::string spec = files.front().string();
  const Detector& d = file.scan.detector;
  std::unique_ptr<StackReader> reader;
  if (files.size() == 1 && file.scan.view_count() > 1) {
    RawLayout layout;
    layout.info = {d.columns, d.rows, file.scan.view_count(), "", "raw"};
    layout.samples = format.samples;
    layout.offset = format.header_bytes;
    reader = make_raw_stack(open_bytes(files.front()), layout, spec);
  } else {
    reader = open_bare_images(std::move(files), d.columns, d.rows, format);
  }
  file.projections = open_projections(std::move(reader), spec, file.scan, complain_of(file.path));
}

std::vector<fs::path> files_in(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (lower_case(entry.path().filename().string()).ends_with(ending)) files.push_back(entry.path());
  sort_naturally(files);
  return files;
}

void note_image_size(HeaderFields& fields, const Detector& d, const std::string& source) {
  fields.note_fact("columns, rows", fmt::format("{} x {} px", d.columns, d.rows), source);
}

void set_open_beam(ScanFile& file, double counts) {
  file.kind = ScanFile::Kind::counts;
  file.flats = std::make_shared<ConstantFrame>(file.scan, counts);
}

void set_air_scan(ScanFile& file, const fs::path& image, const BeamChamber& chamber, const std::vector<double>& views,
                  HeaderFields& fields) {
  file.flats = open_frames(image.string(), file.scan, [&](const std::string& problem, const std::string& remedy) {
    throw InputError(image.string(), problem, remedy);
  });
  file.inputs.push_back(image);
  const bool all = chamber.value > 0 && std::ranges::all_of(views, [](double v) { return v > 0; });
  fields.note_fact("open beam", all ? "scaled by the chamber of each view" : "as it is: a chamber is missing",
                   fmt::format("{}, {}", image.filename().string(), chamber.field));
  if (!all) return;
  std::vector<double> factors;
  for (const double v : views) factors.push_back(chamber.value / v);
  file.projections = std::make_shared<ScaledViews>(file.projections, std::move(factors));
}

void follow_detector(Trajectory& t, const Detector& d, const std::vector<glm::dvec2>& moved, const glm::dvec2& middle,
                     const std::string& source, HeaderFields& fields) {
  const glm::dvec2 pixel(d.pixel_u, d.pixel_v);
  std::vector<ViewShift> shifts;
  double most = 0;
  for (const glm::dvec2& place : moved) {
    const glm::dvec2 shift = (middle - place) / pixel;
    most = std::max(most, glm::length(shift));
    shifts.push_back({shift.x, shift.y});
  }
  if (!(most > 0.1)) return;
  t.shifts = std::move(shifts);
  fields.note_fact("detector moved between views", fmt::format("up to {:.4g} px", most), source);
}

namespace {

/// Empty where there is no such folder.
std::vector<fs::path> images_at(const ImagePlace& place) {
  const auto& [folder, prefix] = place;
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const std::size_t digits = name.find_first_not_of("0123456789", prefix.size());
    if (digits == std::string::npos || digits == prefix.size()) continue;
    const std::string suffix = lower_case(name.substr(digits));
    if (suffix == ".tif" || suffix == ".tiff") files.push_back(entry.path());
  }
  sort_naturally(files);
  return files;
}

}  // namespace

std::vector<fs::path> numbered_images(const fs::path& header, const std::vector<ImagePlace>& places) {
  for (const ImagePlace& place : places)
    if (auto files = images_at(place); !files.empty()) return files;
  throw InputError(header.string(), fmt::format("no images {}0001.tif beside it", places.front().prefix),
                   "put it into the folder of its TIFF images");
}

std::string angles_text(const std::vector<double>& angles) {
  if (angles.size() < 2) return angles.empty() ? "none" : with_unit(angles[0], "deg");
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
  double most = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    most = std::max(most, std::abs(angles[i] - angles[0] - step * static_cast<double>(i)));
  return fmt::format("{} from {:.6g} to {:.6g} deg, {}", angles.size(), angles.front(), angles.back(),
                     most < 1e-3 * std::abs(step) ? fmt::format("in steps of {:.6g} deg", step)
                                                  : fmt::format("unevenly, {:.4g} deg from even steps", most));
}

}  // namespace backlit
