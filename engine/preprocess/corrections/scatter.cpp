// Scatter that hardly varies over the detector.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "geometry/rows_seen.hpp"
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/main_material.hpp"
#include "preprocess/corrections/part_of_views.hpp"
#include "preprocess/corrections/scatter.hpp"
#include "preprocess/corrections/sinogram.hpp"

namespace backlit {
namespace {

/// An image on coarser pixels, each the mean of `step` x `step`; the last may be smaller.
struct Coarse {
  std::int64_t columns, rows, step;
  std::vector<float> values;
};

Coarse coarser(std::span<const float> image, const Detector& d, std::int64_t step) {
  Coarse out{(d.columns + step - 1) / step, (d.rows + step - 1) / step, step, {}};
  for (std::int64_t j = 0; j < out.rows; ++j)
    for (std::int64_t i = 0; i < out.columns; ++i) {
      double sum = 0;
      std::int64_t count = 0;
      for (std::int64_t r = j * step; r < std::min(d.rows, (j + 1) * step); ++r)
        for (std::int64_t c = i * step; c < std::min(d.columns, (i + 1) * step); ++c, ++count)
          sum += static_cast<double>(image[static_cast<std::size_t>(r * d.columns + c)]);
      out.values.push_back(static_cast<float>(sum / static_cast<double>(count)));
    }
  return out;
}

void smooth(Coarse& image, double sigma_u, double sigma_v) {
  for (std::int64_t j = 0; j < image.rows; ++j) {
    const auto row = std::span(image.values)
                         .subspan(static_cast<std::size_t>(j * image.columns), static_cast<std::size_t>(image.columns));
    std::ranges::copy(gaussian_smoothed(row, sigma_u), row.begin());
  }
  if (image.rows < 2) return;
  std::vector<float> column(static_cast<std::size_t>(image.rows));
  for (std::int64_t i = 0; i < image.columns; ++i) {
    for (std::int64_t j = 0; j < image.rows; ++j)
      column[static_cast<std::size_t>(j)] = image.values[static_cast<std::size_t>(j * image.columns + i)];
    const std::vector<float> smoothed = gaussian_smoothed(column, sigma_v);
    for (std::int64_t j = 0; j < image.rows; ++j)
      image.values[static_cast<std::size_t>(j * image.columns + i)] = smoothed[static_cast<std::size_t>(j)];
  }
}

/// Bilinear, at the middle of a finer pixel.
float at(const Coarse& image, std::int64_t row, std::int64_t column) {
  const auto place = [&](std::int64_t fine, std::int64_t n) {
    const double x = (static_cast<double>(fine) + 0.5) / static_cast<double>(image.step) - 0.5;
    return std::clamp(x, 0.0, static_cast<double>(n - 1));
  };
  const double x = place(column, image.columns), y = place(row, image.rows);
  const auto i = static_cast<std::int64_t>(x), j = static_cast<std::int64_t>(y);
  const std::int64_t right = std::min(i + 1, image.columns - 1), below = std::min(j + 1, image.rows - 1);
  const auto value = [&](std::int64_t r, std::int64_t c) {
    return static_cast<double>(image.values[static_cast<std::size_t>(r * image.columns + c)]);
  };
  const double u = x - static_cast<double>(i), v = y - static_cast<double>(j);
  return static_cast<float>((1 - v) * ((1 - u) * value(j, i) + u * value(j, right)) +
                            v * ((1 - u) * value(below, i) + u * value(below, right)));
}

class ScatterModel {
 public:
  ScatterModel(const Detector& d, double width_mm) : d_(d), kernel_(d, width_mm) {}

  /// Line integrals of what was measured become those of the primary beam.
  void remove(std::span<float> view, double share) const {
    const std::vector<float> measured(view.begin(), view.end());
    std::vector<float> source(view.size());
    for (int pass = 0; pass < scatter_passes; ++pass) {
      std::ranges::transform(view, source.begin(), [](float p) { return p > 0 ? p * std::exp(-p) : 0.0f; });
      Coarse scatter = coarser(source, d_, kernel_.step);
      smooth(scatter, kernel_.sigma_u, kernel_.sigma_v);
      for (std::int64_t r = 0; r < d_.rows; ++r)
        for (std::int64_t c = 0; c < d_.columns; ++c) {
          const auto k = static_cast<std::size_t>(r * d_.columns + c);
          const float beam = std::exp(-measured[k]);
          view[k] = -std::log(std::max(beam - static_cast<float>(share) * at(scatter, r, c), least_primary * beam));
        }
    }
  }

  void remove(Projections& p, double share, const Watch& watch) const {
    in_batches(watch, "scatter", p.scan.view_count(), d_.pixels(), "views", [&](std::int64_t first, std::int64_t n) {
      parallel_for(n, [&](std::int64_t i) { remove(p.view(first + i), share); });
    });
  }

 private:
  Detector d_;
  ScatterKernel kernel_;
};

std::string remove_share(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  ScatterModel(p.scan.detector, o.scatter_width).remove(p, o.scatter.share, watch);
  return share_text(o.scatter.share);
}

/// Spread of the material about its mean, relative.
double unevenness(const Volume& slice, const MainMaterial& material) {
  double sum = 0, square = 0, count = 0;
  for (std::size_t v = 0; v < material.inside.size(); ++v)
    if (material.inside[v]) {
      const auto value = static_cast<double>(slice.values[static_cast<std::int64_t>(v)]);
      sum += value;
      square += value * value;
      count += 1;
    }
  const double mean = sum / count;
  return (square / count - mean * mean) / (mean * mean);
}

/// The least of f on [low, high], by golden sections.
template <class F>
double least(double low, double high, int steps, F&& f) {
  constexpr double golden = 0.6180339887498949;
  double a = high - golden * (high - low), b = low + golden * (high - low), fa = f(a), fb = f(b);
  for (int i = 0; i < steps; ++i)
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      fa = f(a = high - golden * (high - low));
    } else {
      low = a;
      a = b;
      fa = fb;
      fb = f(b = low + golden * (high - low));
    }
  return 0.5 * (low + high);
}

std::string fit_share(Projections& p, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  const ScatterModel model(p.scan.detector, o.scatter_width);
  const VolumeGrid grid = input.volume.grid(p.scan, 1);
  const IndexRange rows = rows_seen(grid, p.scan, 0);
  const Projections some = part_of(p, {0, p.scan.detector.rows}, scatter_stride(p.scan.view_count()));
  const double share = fitted_share([&](double trial) {
    Projections cleaned(some.scan, some.values.clone());
    if (trial > 0) model.remove(cleaned, trial, watch);
    return input.volume.reconstruct(part_of(cleaned, rows, 1), grid);
  });
  if (share > 0) model.remove(p, share, watch);
  return fitted_text(share);
}

}  // namespace

ScatterKernel::ScatterKernel(const Detector& d, double width_mm) {
  const double width = width_mm > 0 ? width_mm : static_cast<double>(d.columns) * d.pixel_u / 8;
  step = std::max<std::int64_t>(1, static_cast<std::int64_t>(width / (3 * std::max(d.pixel_u, d.pixel_v))));
  sigma_u = width / d.pixel_u / static_cast<double>(step);
  sigma_v = width / d.pixel_v / static_cast<double>(step);
  columns = (d.columns + step - 1) / step;
  rows = (d.rows + step - 1) / step;
}

std::int64_t scatter_stride(std::int64_t views) { return std::max<std::int64_t>(1, views / 180); }

double fitted_share(const std::function<Volume(double share)>& slice) {
  constexpr double most = 0.5;
  const MainMaterial material = main_material(slice(0));
  if (std::ranges::count(material.inside, 1) < least_homogeneous)
    throw InputError("scatter_share", "the middle slice has no homogeneous part to fit it by",
                     "give the share as a number");
  const double share = least(0, most, 9, [&](double trial) { return unevenness(slice(trial), material); });
  return share < 0.01 * most ? 0 : share;
}

std::string fitted_text(double share) {
  return share > 0 ? "fitted: " + share_text(share) : "no share makes the slice flatter";
}

std::string share_text(double share) { return fmt::format("{:.3g} of what a pixel takes from the beam", share); }

std::string to_text(const ScatterOption& s) {
  return s.kind == ScatterOption::Kind::fit ? "fit" : fmt::format("{}", s.share);
}

void from_text(ScatterOption& s, const std::string& text, const std::string& where) {
  s = {};
  if (text == "fit") {
    s.kind = ScatterOption::Kind::fit;
    return;
  }
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), s.share);
  if (error != std::errc{} || stop != text.data() + text.size() || !(s.share >= 0 && s.share <= 1))
    throw InputError(where, fmt::format("'{}' is neither 'fit' nor a share of 0 to 1", text), "0.1 is usual");
  if (s.share > 0) s.kind = ScatterOption::Kind::share;
}

namespace correction {
namespace {

constexpr const char* kernels =
    "Ohnesorge, Flohr, Klingenbeck-Regn, Efficient object scatter correction algorithm for third and fourth generation "
    "CT scanners, Eur. Radiol. 9 (1999) 563";

}  // namespace

Correction scatter() {
  return {"scatter_share", "scatter",
          kernels,         {"scatter_share", "scatter_width"},
          false,           [](const CorrectionOptions& o) { return o.scatter.kind == ScatterOption::Kind::share; },
          remove_share};
}

Correction fitted_scatter() {
  return {"scatter_share",
          "scatter",
          kernels,
          {"scatter_share", "scatter_width"},
          true,
          [](const CorrectionOptions& o) { return o.scatter.kind == ScatterOption::Kind::fit; },
          fit_share};
}

}  // namespace correction

}  // namespace backlit
