#include "io/volumes/dicom/slices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>

namespace backlit::dicom {
namespace {

namespace fs = std::filesystem;

/// Nothing for files without pixels, as reports are.
std::optional<Slice> read_slice(const fs::path& file) {
  const DataSet set(file);
  if (set.pixel_offset() < 0) return {};
  Slice s;
  s.file = file;
  s.offset = set.pixel_offset();
  s.pixels = pixel_format(set);
  s.series = set.text(tags::series_uid);
  s.series_number = set.integer(tags::series_number, 't', 0);
  s.instance = set.integer(tags::instance_number, 't', 0);
  if (set.has(tags::position)) s.position = set.require_many(tags::position, 't', 3, "position of the image");
  if (set.has(tags::orientation))
    s.orientation = set.require_many(tags::orientation, 't', 6, "directions of the image");
  if (set.has(tags::spacing)) s.spacing = set.require_many(tags::spacing, 't', 2, "size of a pixel");
  s.thickness = std::max(0.0, set.number(tags::thickness, 't').value_or(0));
  for (const double size : s.spacing)
    if (!(size > 0)) throw InputError(set.file(), fmt::format("its pixels are {} mm large", size));
  return s;
}

std::vector<Slice> read_slices(const std::vector<fs::path>& files) {
  std::vector<std::optional<Slice>> all(files.size());
  parallel_for(static_cast<std::int64_t>(files.size()), [&](std::int64_t i) {
    all[static_cast<std::size_t>(i)] = read_slice(files[static_cast<std::size_t>(i)]);
  });
  std::vector<Slice> slices;
  for (auto& slice : all)
    if (slice) slices.push_back(std::move(*slice));
  return slices;
}

/// The series that was asked for, or the only one.
void choose_series(std::vector<Slice>& slices, const std::string& number, const std::string& where) {
  std::map<std::string, int> known;
  for (const Slice& slice : slices) known[slice.series] = slice.series_number;
  if (!number.empty()) {
    std::erase_if(slices, [&](const Slice& s) { return std::to_string(s.series_number) != number; });
    known.clear();
    for (const Slice& slice : slices) known[slice.series] = slice.series_number;
    if (slices.empty()) throw InputError(where, fmt::format("holds no series {}", number));
  }
  if (known.size() < 2) return;
  std::vector<std::string> names;
  for (const auto& [uid, n] : known) names.push_back(fmt::format("{}:/{}", where, n));
  if (names.size() > 8) names.resize(8);
  throw InputError(where, fmt::format("holds {} series", known.size()),
                   fmt::format("name one: {}", fmt::join(names, ", ")));
}

bool alike(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  return std::ranges::equal(a, b, [&](double x, double y) { return std::abs(x - y) <= tolerance; });
}

void check_alike(const std::vector<Slice>& slices) {
  const Slice& first = slices.front();
  for (const Slice& s : slices) {
    if (s.pixels.rows != first.pixels.rows || s.pixels.columns != first.pixels.columns)
      throw InputError(s.file.string(),
                       fmt::format("is {} x {} where {} is {} x {}", s.pixels.columns, s.pixels.rows,
                                   first.file.filename().string(), first.pixels.columns, first.pixels.rows),
                       "all slices must be alike");
    if (!alike(s.orientation, first.orientation, 1e-4) || !alike(s.spacing, first.spacing, 1e-4) ||
        s.position.size() != first.position.size())
      throw InputError(s.file.string(),
                       fmt::format("has other directions or pixels than {}", first.file.filename().string()),
                       "all slices must be alike");
  }
}

/// Along +z, evenly spaced.
void order_by_position(Series& series) {
  const std::vector<double>& o = series.slices.front().orientation;
  const auto along = [](const std::vector<double>& d, std::size_t first, std::size_t axis) {
    return std::abs(std::abs(d[first + axis]) - 1) < 1e-3;
  };
  if (!along(o, 0, 0) || !along(o, 3, 1))
    throw InputError(series.slices.front().file.string(),
                     fmt::format("its rows and columns run along ({:.4g})", fmt::join(o, ", ")),
                     "axial slices are read: resample it");
  const auto z = [](const Slice& s) { return s.position[2]; };
  std::ranges::sort(series.slices, {}, z);
  series.thickness = series.slices.front().thickness;
  if (series.slices.size() < 2) return;
  std::vector<double> gaps;
  for (std::size_t i = 1; i < series.slices.size(); ++i) gaps.push_back(z(series.slices[i]) - z(series.slices[i - 1]));
  std::vector<double> sorted = gaps;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  const double usual = sorted[sorted.size() / 2];
  for (std::size_t i = 1; i < series.slices.size(); ++i) {
    const Slice &below = series.slices[i - 1], &above = series.slices[i];
    const double apart = gaps[i - 1];
    if (!(apart > 0))
      throw InputError(above.file.string(), fmt::format("lies where {} does", below.file.filename().string()),
                       "remove one of them");
    if (std::abs(apart - usual) > 0.02 * usual + 1e-3)
      throw InputError(above.file.string(),
                       fmt::format("lies {:.6g} mm above {}, where slices are {:.6g} mm apart elsewhere", apart,
                                   below.file.filename().string(), usual),
                       "are slices missing?");
    if (std::abs(above.position[0] - below.position[0]) > 1e-2 ||
        std::abs(above.position[1] - below.position[1]) > 1e-2)
      throw InputError(above.file.string(), "lies beside the slice below it", "a tilted gantry: resample it");
  }
  series.thickness = std::accumulate(gaps.begin(), gaps.end(), 0.0) / static_cast<double>(gaps.size());
}

}  // namespace

Series series_of(const std::vector<fs::path>& files, const std::string& number, const std::string& where) {
  Series series;
  series.slices = read_slices(files);
  if (series.slices.empty()) throw InputError(where, "holds no DICOM images");
  choose_series(series.slices, number, where);
  check_alike(series.slices);
  const Slice& first = series.slices.front();
  series.has_place = first.position.size() == 3 && first.orientation.size() == 6 && first.spacing.size() == 2;
  if (series.has_place)
    order_by_position(series);
  else
    std::ranges::stable_sort(series.slices, {}, &Slice::instance);
  return series;
}

}  // namespace backlit::dicom
