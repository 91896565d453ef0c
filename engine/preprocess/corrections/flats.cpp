// Flats that drift: a monochromator or a lens moves, and every view has a flat of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "core/solve.hpp"
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/flats.hpp"
#include "preprocess/corrections/pixels.hpp"

namespace backlit {
namespace {

constexpr std::int64_t most_flats = 64;

double product(const Image& a, const Image& b) {
  return parallel_sum(std::ssize(a), [&](std::int64_t from, std::int64_t to) {
    double sum = 0;
    for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i)
      sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
  });
}

/// Logarithms of the flats over their mean; 0 where a flat is not above dark.
std::vector<Image> changes_of_flats(ProjectionSource& flats, ProjectionSource* darks, const Watch& watch) {
  const std::int64_t total = flats.scan().view_count(), n = std::min(total, most_flats);
  const auto pixels = static_cast<std::size_t>(flats.scan().detector.pixels());
  Image dark(pixels, 0), frame(pixels);
  for (std::int64_t i = 0; darks && i < darks->scan().view_count(); ++i) {
    darks->read(i, 1, frame);
    for (std::size_t p = 0; p < pixels; ++p) dark[p] += frame[p] / static_cast<float>(darks->scan().view_count());
  }
  std::vector<Image> changes;
  Image mean(pixels, 0);
  watch.begin("flat components", n, "frames");
  for (std::int64_t i = 0; i < n; ++i) {
    flats.read(i * total / n, 1, frame);
    for (std::size_t p = 0; p < pixels; ++p) {
      frame[p] = std::log(std::max(frame[p] - dark[p], 0.5f));
      mean[p] += frame[p] / static_cast<float>(n);
    }
    changes.push_back(frame);
    watch.advance(1);
  }
  watch.end();
  for (Image& change : changes)
    for (std::size_t p = 0; p < pixels; ++p) change[p] -= mean[p];
  return changes;
}

/// The eigenvector of the largest eigenvalue of a small symmetric matrix, by repeated multiplication.
std::vector<double> largest_eigenvector(const std::vector<std::vector<double>>& matrix) {
  const std::size_t n = matrix.size();
  std::vector<double> x(n), next(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 1 + 0.1 * static_cast<double>(i % 7);
  for (int step = 0; step < 500; ++step) {
    double square = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = 0;
      for (std::size_t j = 0; j < n; ++j) next[i] += matrix[i][j] * x[j];
      square += next[i] * next[i];
    }
    if (square == 0) break;
    for (double& v : next) v /= std::sqrt(square);
    x.swap(next);
  }
  return x;
}

/// The principal components of the changes, normalised, the strongest first. What remains is taken off each change.
std::vector<Image> components_of(std::vector<Image> changes, std::int64_t wanted) {
  std::vector<Image> components;
  const std::size_t n = changes.size();
  double first = 0;
  while (std::ssize(components) < wanted) {
    std::vector<std::vector<double>> gram(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) gram[i][j] = gram[j][i] = product(changes[i], changes[j]);
    const std::vector<double> weights = largest_eigenvector(gram);
    Image component(changes[0].size(), 0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t p = 0; p < component.size(); ++p) component[p] += static_cast<float>(weights[i]) * changes[i][p];
    const double length = std::sqrt(product(component, component));
    if (first == 0) first = length;
    if (!(length > 1e-6 * first) || first == 0) break;
    for (float& v : component) v = static_cast<float>(static_cast<double>(v) / length);
    for (Image& change : changes) {
      const auto share = static_cast<float>(product(change, component));
      for (std::size_t p = 0; p < component.size(); ++p) change[p] -= share * component[p];
    }
    components.push_back(std::move(component));
  }
  return components;
}

/// Differences of neighbouring columns, with 0 at the end of each row.
Image gradient(std::span<const float> image, std::int64_t columns) {
  Image out(image.size(), 0);
  for (std::size_t p = 0; p + 1 < image.size(); ++p)
    if ((static_cast<std::int64_t>(p) + 1) % columns != 0) out[p] = image[p + 1] - image[p];
  return out;
}

/// Weights of the components that give a view the least total variation along its rows, by iteratively reweighted
/// least squares.
std::vector<double> weights_of(std::span<const float> view, const std::vector<Image>& slopes, std::int64_t columns) {
  const Image own = gradient(view, columns);
  const std::size_t n = slopes.size();
  std::vector<double> weights(n, 0);
  Image rest = own;
  std::vector<float> sizes(own.size());
  for (int pass = 0; pass < flat_passes; ++pass) {
    std::ranges::transform(rest, sizes.begin(), [](float v) { return std::abs(v); });
    std::ranges::nth_element(sizes, sizes.begin() + std::ssize(sizes) / 2);
    const double floor = 0.5 * static_cast<double>(sizes[sizes.size() / 2]) + 1e-9;
    std::vector<double> matrix(n * n, 0), right(n, 0);
    for (std::size_t p = 0; p < own.size(); ++p) {
      const double trust = 1 / std::max(floor, std::abs(static_cast<double>(rest[p])));
      for (std::size_t i = 0; i < n; ++i) {
        const double slope = trust * static_cast<double>(slopes[i][p]);
        right[i] -= slope * static_cast<double>(own[p]);
        for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] += slope * static_cast<double>(slopes[j][p]);
      }
    }
    if (!solve(std::move(matrix), std::move(right), weights)) break;
    rest = own;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t p = 0; p < own.size(); ++p) rest[p] += static_cast<float>(weights[i]) * slopes[i][p];
  }
  return weights;
}

std::string fit_flats(Projections& p, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  const FlatComponents flats = flat_components_of(o, input, p.scan.detector, watch);
  watch.begin("flat components", p.scan.view_count(), "views");
  constexpr std::int64_t at_once = 32;
  for (std::int64_t first = 0; first < p.scan.view_count(); first += at_once) {
    const std::int64_t count = std::min(at_once, p.scan.view_count() - first);
    parallel_for(count, [&](std::int64_t i) {
      const auto view = p.view(first + i);
      const std::vector<double> weights = weights_of(view, flats.slopes, p.scan.detector.columns);
      for (std::size_t k = 0; k < weights.size(); ++k)
        for (std::size_t q = 0; q < view.size(); ++q) view[q] += static_cast<float>(weights[k]) * flats.images[k][q];
    });
    watch.advance(count);
  }
  watch.end();
  return flats.text;
}

/// Limits values to so many times their usual size, so that one bad pixel is no drift.
void limit_sizes(Image& image, double times) {
  Image sizes(image.size());
  std::ranges::transform(image, sizes.begin(), [](float v) { return std::abs(v); });
  const auto middle = sizes.begin() + std::ssize(sizes) / 2;
  std::ranges::nth_element(sizes, middle);
  const auto most = static_cast<float>(times / normal_median * static_cast<double>(*middle));
  for (float& v : image) v = std::clamp(v, -most, most);
}

}  // namespace

FlatDrift drift_of_flats(const CorrectionInput& input, const Watch& watch) {
  constexpr double least_times = 3, bad_pixel = 5;
  constexpr std::int64_t most_components = 4;
  FlatDrift drift;
  if (!input.flats || input.flats->scan().view_count() < 3) return drift;
  std::vector<Image> slopes = changes_of_flats(*input.flats, input.darks.get(), watch);
  const std::size_t n = slopes.size();
  drift.flats = static_cast<std::int64_t>(n);
  for (Image& slope : slopes) {
    slope = gradient(slope, input.flats->scan().detector.columns);
    limit_sizes(slope, bad_pixel);
  }
  std::vector<std::vector<double>> gram(n, std::vector<double>(n));
  double rest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) gram[i][j] = gram[j][i] = product(slopes[i], slopes[j]);
    rest += gram[i][i];
  }
  // The largest of n equal eigenvalues, as P pixels of noise show it (Marchenko and Pastur).
  const double spread = std::pow(1 + std::sqrt(static_cast<double>(n) / static_cast<double>(slopes[0].size())), 2);
  for (std::int64_t k = 0; k < most_components && k + 2 < drift.flats; ++k) {
    const std::vector<double> x = largest_eigenvector(gram);
    double value = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) value += x[i] * gram[i][j] * x[j];
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) gram[i][j] -= value * x[i] * x[j];
    rest -= value;
    const double noise = spread * rest / static_cast<double>(drift.flats - 2 - k),
                 times = noise > 0 ? value / noise : 0;
    if (k == 0) drift.times_noise = times;
    if (times < least_times) break;
    drift.components = k + 1;
  }
  return drift;
}

FlatComponents flat_components_of(const CorrectionOptions& o, const CorrectionInput& input, const Detector& d,
                                  const Watch& watch) {
  if (!input.flats || input.flats->scan().view_count() < 3)
    throw InputError("flat_components", "takes three flats or more, to see how they change",
                     "leave it out, or name more flats in the scan file");
  FlatComponents found;
  found.images = components_of(changes_of_flats(*input.flats, input.darks.get(), watch), o.flat_components);
  for (const Image& c : found.images) found.slopes.push_back(gradient(c, d.columns));
  found.text = fmt::format("{} component{} of {} flats", found.images.size(), found.images.size() == 1 ? "" : "s",
                           std::min(most_flats, input.flats->scan().view_count()));
  return found;
}

namespace correction {

Correction flat_components() {
  return {"flat_components",
          "flats that drift",
          "Van Nieuwenhove et al., Dynamic intensity normalization using eigen flat fields in X-ray imaging, Opt. "
          "Express 23 (2015) 27975",
          {"flat_components"},
          false,
          [](const CorrectionOptions& o) { return o.flat_components > 0; },
          fit_flats};
}

}  // namespace correction

}  // namespace backlit
