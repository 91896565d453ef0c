// Metal: its traces in the views are replaced by what a model of the object without it leads one to expect.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/main_material.hpp"

namespace backlit {
namespace {

/// The object without metal: air is 0, the main material has one value, denser parts stay.
Volume prior_of(const Volume& volume, const std::vector<char>& metal, double threshold_of_metal) {
  const MainMaterial material = main_material(volume, threshold_of_metal);
  Volume prior(volume.grid);
  for (std::int64_t i = 0; i < prior.values.size(); ++i) {
    const auto value = static_cast<double>(volume.values[i]);
    if (metal[static_cast<std::size_t>(i)])
      prior.values[i] = static_cast<float>(material.value);
    else if (value > 1.5 * material.value)
      prior.values[i] = volume.values[i];
    else if (value > material.threshold)
      prior.values[i] = static_cast<float>(material.value);
  }
  return prior;
}

/// Linear along the row between the nearest values outside the trace.
void bridge(std::span<float> row, const std::vector<char>& trace) {
  const auto n = std::ssize(row);
  for (std::int64_t c = 0; c < n; ++c) {
    if (!trace[static_cast<std::size_t>(c)]) continue;
    std::int64_t end = c;
    while (end < n && trace[static_cast<std::size_t>(end)]) ++end;
    const float left = c > 0 ? row[static_cast<std::size_t>(c - 1)] : end < n ? row[static_cast<std::size_t>(end)] : 1;
    const float right = end < n ? row[static_cast<std::size_t>(end)] : left;
    for (std::int64_t i = c; i < end; ++i)
      row[static_cast<std::size_t>(i)] =
          left + (right - left) * static_cast<float>(i - c + 1) / static_cast<float>(end - c + 1);
    c = end;
  }
}

/// One voxel wider along x and y.
Volume dilated(const Volume& mask) {
  Volume out(mask.grid);
  const Size3& n = mask.grid.size;
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) {
        if (mask.at(i, j, k) == 0) continue;
        for (std::int64_t y = std::max<std::int64_t>(0, j - 1); y <= std::min(n[1] - 1, j + 1); ++y)
          for (std::int64_t x = std::max<std::int64_t>(0, i - 1); x <= std::min(n[0] - 1, i + 1); ++x)
            out.at(x, y, k) = 1;
      }
  return out;
}

/// Within the trace: the ratio of the views to the prior's, bridged, times the prior's. Then the metal again, as an
/// object of one value.
void replace_traces(std::span<float> view, std::span<const float> prior, std::span<const float> metal,
                    std::span<const float> around, const Detector& d, double value) {
  const float shortest = static_cast<float>(0.02 * *std::max_element(around.begin(), around.end()));
  const float floor = std::max(0.02f * *std::max_element(prior.begin(), prior.end()), 1e-6f);
  std::vector<float> ratio(static_cast<std::size_t>(d.columns));
  std::vector<char> trace(ratio.size());
  for (std::int64_t r = 0; r < d.rows; ++r) {
    const std::int64_t begin = r * d.columns;
    bool any = false;
    for (std::int64_t c = 0; c < d.columns; ++c) {
      const auto k = static_cast<std::size_t>(begin + c);
      trace[static_cast<std::size_t>(c)] = shortest > 0 && around[k] > shortest;
      any = any || trace[static_cast<std::size_t>(c)];
      ratio[static_cast<std::size_t>(c)] = prior[k] > floor ? view[k] / prior[k] : 1;
    }
    if (!any) continue;
    bridge(ratio, trace);
    for (std::int64_t c = 0; c < d.columns; ++c)
      if (trace[static_cast<std::size_t>(c)]) {
        const auto k = static_cast<std::size_t>(begin + c);
        view[k] = ratio[static_cast<std::size_t>(c)] * prior[k] + static_cast<float>(value) * metal[k];
      }
  }
}

std::string reduce_metal(Projections& p, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  const Volume volume = input.volume.reconstruct(p, input.volume.grid(p.scan, 0));
  const auto voxels = static_cast<std::size_t>(volume.values.size());
  std::vector<char> metal(voxels, 0);
  double sum = 0;
  std::int64_t found = 0;
  for (std::size_t i = 0; i < voxels; ++i)
    if (const auto value = static_cast<double>(volume.values[static_cast<std::int64_t>(i)]); value > o.metal) {
      metal[i] = 1;
      sum += value;
      ++found;
    }
  if (found == 0) return "no voxel is above the threshold";
  if (2 * found > std::ssize(metal))
    throw InputError("metal", fmt::format("{:.3g}/mm takes half of the volume for metal", o.metal),
                     "give a value between the object's and the metal's");
  const Volume prior = prior_of(volume, metal, o.metal);
  Volume mask(volume.grid);
  double below = 0;
  for (std::size_t i = 0; i < voxels; ++i)
    if (metal[i]) {
      mask.values[static_cast<std::int64_t>(i)] = 1;
      below = static_cast<double>(prior.values[static_cast<std::int64_t>(i)]);
    }
  const double value = sum / static_cast<double>(found) - below;
  const Volume wide = dilated(mask);
  constexpr std::int64_t at_once = 64;
  watch.begin("metal", p.scan.view_count(), "views");
  for (std::int64_t first = 0; first < p.scan.view_count(); first += at_once) {
    const std::int64_t count = std::min(at_once, p.scan.view_count() - first);
    const Scan some{p.scan.detector, {p.scan.views.begin() + first, p.scan.views.begin() + first + count}};
    const Projections expected = input.volume.project(prior, some), lengths = input.volume.project(mask, some),
                      around = input.volume.project(wide, some);
    parallel_for(count, [&](std::int64_t i) {
      replace_traces(p.view(first + i), expected.view(i), lengths.view(i), around.view(i), p.scan.detector, value);
    });
    watch.advance(count);
  }
  watch.end();
  return fmt::format("{} of {} voxels", found, voxels);
}

}  // namespace

namespace correction {

Correction metal() {
  return {"metal",
          "metal",
          "Meyer et al., Normalized metal artifact reduction (NMAR) in computed tomography, Med. Phys. 37 (2010) 5482",
          {"metal"},
          true,
          [](const CorrectionOptions& o) { return o.metal > 0; },
          reduce_metal};
}

}  // namespace correction

}  // namespace backlit
