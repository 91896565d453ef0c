// Single pixels: those that are wrong in all views, and single readings that are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/pixels.hpp"
#include "preprocess/fill_missing.hpp"

namespace backlit {
namespace {

float median(std::vector<float>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The value that a share of the neighbours is below: those within 2 columns and 2 rows (one row: within 3 columns),
/// the pixel itself left out.
float quantile_around(std::span<const float> image, const Detector& d, std::int64_t r, std::int64_t c, double share,
                      std::vector<float>& scratch) {
  const std::int64_t across = d.rows > 1 ? 2 : 3;
  scratch.clear();
  for (std::int64_t j = std::max<std::int64_t>(0, r - 2); j <= std::min(d.rows - 1, r + 2); ++j)
    for (std::int64_t i = std::max<std::int64_t>(0, c - across); i <= std::min(d.columns - 1, c + across); ++i)
      if (i != c || j != r) scratch.push_back(image[static_cast<std::size_t>(j * d.columns + i)]);
  if (scratch.empty()) return image[0];
  const auto place = scratch.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(scratch.size()));
  std::ranges::nth_element(scratch, place);
  return *place;
}

float neighbours_median(std::span<const float> image, const Detector& d, std::int64_t r, std::int64_t c,
                        std::vector<float>& scratch) {
  return quantile_around(image, d, r, c, 0.5, scratch);
}

/// What an image differs from the median of its neighbours by.
std::vector<float> roughness(std::span<const float> image, const Detector& d) {
  std::vector<float> out(image.size());
  parallel_for(d.rows, [&](std::int64_t r) {
    std::vector<float> scratch;
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const auto p = static_cast<std::size_t>(r * d.columns + c);
      out[p] = image[p] - neighbours_median(image, d, r, c, scratch);
    }
  });
  return out;
}

/// Standard deviation of the bulk.
double usual_size(std::vector<float> values) {
  for (float& v : values) v = std::abs(v);
  return static_cast<double>(median(values)) / normal_median;
}

/// Marks where |image - neighbours| exceeds `times` the usual; beside an edge of the object the usual is larger.
void mark_outliers(std::span<const float> image, const Detector& d, double times, std::vector<char>& bad) {
  const std::vector<float> rough = roughness(image, d);
  const double usual = usual_size(rough);
  std::vector<float> size = rough;
  for (float& v : size) v = std::abs(v);
  double largest = 0;
  for (const float v : image) largest = std::max(largest, std::abs(static_cast<double>(v)));
  parallel_for(d.rows, [&](std::int64_t r) {
    std::vector<float> scratch;
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const auto p = static_cast<std::size_t>(r * d.columns + c);
      const double here = usual_around(usual, quantile_around(size, d, r, c, 0.75, scratch), largest);
      if (static_cast<double>(size[p]) > times * here) bad[p] = 1;
    }
  });
}

}  // namespace

std::string count_text(std::int64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::vector<char> find_defects(const Projections& p, double times, const Watch& watch) {
  const Detector& d = p.scan.detector;
  const auto pixels = static_cast<std::size_t>(d.pixels());
  const std::int64_t views = p.scan.view_count();
  std::vector<double> sum(pixels), change(pixels);
  watch.begin("defects", views, "views");
  for (std::int64_t v = 0; v < views; ++v) {
    const auto now = p.view(v);
    const auto before = p.view(v > 0 ? v - 1 : 0);
    parallel_chunks(d.pixels(), [&](std::int64_t from, std::int64_t to) {
      for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(to); ++i) {
        sum[i] += static_cast<double>(now[i]);
        change[i] += std::abs(static_cast<double>(now[i]) - static_cast<double>(before[i]));
      }
    });
    watch.advance(1);
  }
  std::vector<float> mean(pixels), unrest(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    mean[i] = static_cast<float>(sum[i] / static_cast<double>(views));
    unrest[i] = static_cast<float>(change[i] / static_cast<double>(views));
  }
  std::vector<char> bad(pixels, 0);
  mark_outliers(mean, d, times, bad);
  mark_outliers(unrest, d, times, bad);
  watch.end();
  return bad;
}

ZingerMarks find_zingers(const Projections& p, double times, const Watch& watch) {
  const Detector& d = p.scan.detector;
  const std::int64_t views = p.scan.view_count();
  ZingerMarks out{std::vector<std::vector<char>>(static_cast<std::size_t>(views)), 0};
  if (views < 2) return out;
  std::atomic<std::int64_t> found{0};
  in_batches(watch, "zingers", views, d.pixels(), "views", [&](std::int64_t first, std::int64_t count) {
    parallel_for(count, [&](std::int64_t i) {
      const std::int64_t v = first + i;
      const auto now = p.view(v), before = p.view(v > 0 ? v - 1 : 1), after = p.view(v + 1 < views ? v + 1 : views - 2);
      std::vector<float> scratch, rough;
      const auto rough_at = [&](std::int64_t r, std::int64_t c) {
        return now[static_cast<std::size_t>(r * d.columns + c)] - neighbours_median(now, d, r, c, scratch);
      };
      for (std::int64_t r = 0; r < d.rows; r += noise_step(d.pixels()))
        for (std::int64_t c = 0; c < d.columns; c += noise_step(d.pixels())) rough.push_back(rough_at(r, c));
      float largest = 0;
      for (const float value : now) largest = std::max(largest, std::abs(value));
      const float limit = zinger_limit(times, usual_size(rough), largest);
      std::vector<float> flash(now.size()), change(now.size());
      for (std::size_t k = 0; k < now.size(); ++k) {
        flash[k] = now[k] - std::min(before[k], after[k]);
        change[k] = std::abs(flash[k]);
      }
      const auto local_limit = [&](std::int64_t k) {
        return local_zinger_limit(times) * quantile_around(change, d, k / d.columns, k % d.columns, 0.75, scratch);
      };
      auto& marks = out.marks[static_cast<std::size_t>(v)];
      for (std::size_t k = 0; k < now.size(); ++k) {
        if (flash[k] > limit) continue;  // nearly all
        const auto pixel = static_cast<std::int64_t>(k);
        const float outstanding = std::max(rough_at(pixel / d.columns, pixel % d.columns), flash[k]);
        if (outstanding > limit || outstanding > local_limit(pixel)) continue;
        if (marks.empty()) marks.assign(now.size(), 0);
        marks[k] = 1;
        ++found;
      }
    });
  });
  out.count = found;
  return out;
}

namespace {

std::string interpolate_defects(Projections& p, const CorrectionOptions& o, const CorrectionInput&,
                                const Watch& watch) {
  const std::vector<char> bad = find_defects(p, o.defects, watch);
  const auto found = std::ranges::count(bad, 1);
  if (found > 0 && found < std::ssize(bad))
    parallel_for(p.scan.view_count(), [&](std::int64_t v) { fill_missing(p.view(v), p.scan.detector.columns, bad); });
  return count_text(found, "pixel");
}

std::string replace_zingers(Projections& p, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  const ZingerMarks found = find_zingers(p, o.zingers, watch);
  parallel_for(p.scan.view_count(), [&](std::int64_t v) {
    if (const auto& marks = found.marks[static_cast<std::size_t>(v)]; !marks.empty())
      fill_missing(p.view(v), p.scan.detector.columns, marks);
  });
  return count_text(found.count, "reading");
}

}  // namespace

namespace correction {

Correction defects() {
  return {"defects",
          "defective pixels",
          "In the manner of Vo, Atwood and Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray "
          "micro-tomography, Opt. Express 26 (2018) 28396, algorithm 6, for pixels in place of columns",
          {"defects"},
          false,
          [](const CorrectionOptions& o) { return o.defects > 0; },
          interpolate_defects};
}

Correction zingers() {
  return {"zingers",
          "zingers",
          "In the manner of Vo, Atwood, Drakopoulos and Connolley, Data processing methods and data acquisition for "
          "samples larger than the field of view in parallel-beam tomography, Opt. Express 29 (2021) 17849",
          {"zingers"},
          false,
          [](const CorrectionOptions& o) { return o.zingers > 0; },
          replace_zingers};
}

}  // namespace correction

}  // namespace backlit
