#include <backlit/io/file_info.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include "io/header_fields.hpp"
#include "io/scans/scan_format_list.hpp"
#include "io/volumes/volume_format_list.hpp"

namespace backlit {
namespace {

/// Statistics over images that are read a few at a time.
class Statistics {
 public:
  void add(std::span<const float> values) {
    for (const float value : values) {
      if (!std::isfinite(value)) {
        ++not_finite_;
        continue;
      }
      min_ = std::min(min_, value);
      max_ = std::max(max_, value);
      sum_ += static_cast<double>(value);
      ++count_;
    }
  }
  void store(FileInfo& info) const {
    info.not_finite = not_finite_;
    if (count_ == 0) return;
    info.min = min_;
    info.max = max_;
    info.mean = sum_ / static_cast<double>(count_);
  }

 private:
  float min_ = std::numeric_limits<float>::infinity(), max_ = -std::numeric_limits<float>::infinity();
  double sum_ = 0;
  std::int64_t count_ = 0, not_finite_ = 0;
};

template <class Read>
void measure(FileInfo& info, const Watch& watch, Read&& read) {
  const std::int64_t pixels = info.size[0] * info.size[1];
  std::vector<float> values;
  Statistics statistics;
  in_batches(watch, "read", info.size[2], pixels, "images", [&](std::int64_t first, std::int64_t n) {
    values.resize(static_cast<std::size_t>(n * pixels));
    read(first, n, std::span(values));
    statistics.add(values);
  });
  statistics.store(info);
}

}  // namespace

FileInfo describe_scan(const ScanFile& file, const Watch& watch) {
  FileInfo info;
  const Detector& detector = file.scan.detector;
  info.path = file.path;
  info.kind = "scan";
  if (const ScanFormat* format = scan_format_list().recognized(file_front(file.path))) info.format = format->name;
  info.views = file.scan.view_count();
  info.size = {detector.columns, detector.rows, *info.views};
  info.facts = file.facts;
  info.unused = file.unused;
  info.more["pixel_mm"] = fmt::format("{} x {}", detector.pixel_u, detector.pixel_v);
  info.more["beam"] = file.scan.beam() == Beam::parallel ? "parallel" : "cone";
  info.more["detector"] = detector.shape == Detector::Shape::flat ? "flat" : "curved";
  if (!file.angles_deg.empty())
    info.more["angles_deg"] = fmt::format("{:g} to {:g}", file.angles_deg.front(), file.angles_deg.back());
  if (!file.projections) return info;
  info.more["data"] = file.kind == ScanFile::Kind::counts ? "counts" : "line integrals";
  if (file.flats) info.more["flats"] = std::to_string(file.flats->scan().view_count());
  if (file.darks) info.more["darks"] = std::to_string(file.darks->scan().view_count());
  measure(info, watch,
          [&](std::int64_t first, std::int64_t n, std::span<float> out) { file.projections->read(first, n, out); });
  return info;
}

namespace {

/// Images named by a pattern are described by the first one's header.
void describe_header(const std::string& spec, const VolumeFormat* format, FileInfo& info) {
  std::filesystem::path file = spec;
  if (!std::filesystem::exists(file)) {
    const auto files = natural_glob(spec);
    if (files.empty()) return;  // a data set of a file
    file = files.front();
    format = volume_format_list().find(file_front(file));
  }
  if (format && format->describe) format->describe(file, info);
}

void describe_stack(const std::string& spec, const VolumeFormat* format, FileInfo& info, const Watch& watch) {
  const auto stack = open_stack(spec);
  const StackInfo& known = stack->info();
  info.format = known.format;
  info.type = known.type;
  info.size = {known.columns, known.rows, known.images};
  info.spacing_mm = known.spacing;
  info.center_mm = known.center;
  const bool is_exchange = spec.find(":/exchange/data") != std::string::npos;
  info.kind = is_exchange ? "projections" : known.spacing ? "volume" : "stack";
  if (is_exchange) info.views = known.images;
  if (known.pixel_mm && !known.spacing)
    info.more["pixel_mm"] = fmt::format("{} x {}", with_unit(known.pixel_mm->x, ""), with_unit(known.pixel_mm->y, ""));
  describe_header(spec, format, info);
  measure(info, watch, [&](std::int64_t first, std::int64_t n, std::span<float> out) { stack->read(first, n, out); });
}

}  // namespace

FileInfo describe_file(const std::string& spec, const Watch& watch) {
  // A file that is both, such as RabbitCT's data set, is described as images, because that format has a description.
  const FileFront front = file_front(spec);
  const VolumeFormat* format = volume_format_list().find(front);
  const ScanFormat* scan = format && format->describe ? nullptr : scan_format_list().recognized(front);
  if (scan) return describe_scan(load_scan(spec), watch);
  FileInfo info;
  info.path = spec;
  describe_stack(spec, format, info, watch);
  return info;
}

}  // namespace backlit
