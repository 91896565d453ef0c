// Metal: its traces in the views are replaced by what a model of the object without it leads one to expect.
#include "preprocess/corrections/metal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include "geometry/rows_seen.hpp"
#include "preprocess/corrections/correction_list.hpp"
#include "preprocess/corrections/main_material.hpp"

namespace backlit {
namespace {

MetalVoxels find_metal(const Volume& volume, double threshold) {
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  MetalVoxels found{0, 0, {none, none, none}, {-1, -1, -1}};
  const Size3& n = volume.grid.size;
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) {
        const auto value = static_cast<double>(volume.at(i, j, k));
        if (!(value > threshold)) continue;
        ++found.count;
        found.sum += value;
        const Size3 at{i, j, k};
        for (std::size_t a = 0; a < 3; ++a) {
          found.low[a] = std::min(found.low[a], at[a]);
          found.high[a] = std::max(found.high[a], at[a]);
        }
      }
  return found;
}

/// 1 in metal.
Volume mask_of(const Volume& volume, const MetalVoxels& metal, double threshold) {
  Volume mask(metal.box(volume.grid));
  const Size3& n = mask.grid.size;
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i)
        mask.at(i, j, k) =
            static_cast<double>(volume.at(i + metal.low[0], j + metal.low[1], k + metal.low[2])) > threshold;
  return mask;
}

/// Within the trace: the ratio of the view to the model's, bridged, times the model's. Then the metal again, as an
/// object of one value.
void replace_traces(std::span<float> view, const CoarseView& prior, const CoarseView& metal, const Detector& d,
                    float value) {
  const auto largest = [](const CoarseView& v) {
    return *std::max_element(v.values, v.values + std::int64_t{v.columns} * v.rows);
  };
  const float shortest = least_trace * largest(metal), floor = std::max(least_prior * largest(prior), 1e-6f);
  if (!(shortest > 0)) return;
  const auto columns = static_cast<int>(d.columns);
  std::vector<float> ratio(static_cast<std::size_t>(columns));
  std::vector<char> trace(ratio.size());
  for (int r = 0; r < static_cast<int>(d.rows); ++r) {
    if (!prior.has_row(r)) continue;
    float* const row = view.data() + r * d.columns;
    for (int c = 0; c < columns; ++c) {
      const float expected = prior.at(r, c);
      trace[static_cast<std::size_t>(c)] = metal.largest_near(r, c) > shortest;
      ratio[static_cast<std::size_t>(c)] = expected > floor ? row[c] / expected : 1;
    }
    for (int begin = 0; begin < columns; ++begin) {
      int end = begin;
      while (end < columns && trace[static_cast<std::size_t>(end)]) ++end;
      for (int c = begin; c < end; ++c)
        row[c] = bridged(ratio.data(), columns, begin, end, c) * prior.at(r, c) + value * metal.at(r, c);
      begin = end;
    }
  }
}

std::string reduce_metal(Projections& p, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  const Volume volume = input.volume.reconstruct(p, input.volume.grid(p.scan, 0));
  const MetalVoxels found = find_metal(volume, o.metal);
  refuse_too_much_metal(found, volume.grid.voxels(), o.metal);
  if (found.count == 0) return metal_text(found, volume.grid.voxels());
  const MaterialValues material = material_values(volume, o.metal);
  Volume prior(volume.grid);
  std::ranges::transform(volume.values, prior.values.begin(),
                         [&](float v) { return without_metal(v, o.metal, material.threshold, material.median); });
  const Volume mask = mask_of(volume, found, o.metal);
  const auto value = static_cast<float>(found.sum / static_cast<double>(found.count) - material.median);
  const CoarsePixels pixels(p.scan, volume.grid, mask.grid);
  const Detector& d = pixels.scan.detector;
  constexpr std::int64_t at_once = 64;
  watch.begin("metal", p.scan.view_count(), "views");
  for (std::int64_t first = 0; first < p.scan.view_count(); first += at_once) {
    const std::int64_t count = std::min(at_once, p.scan.view_count() - first);
    const auto begin = pixels.scan.views.begin() + first;
    const Scan some{d, {begin, begin + count}};
    const Projections expected = input.volume.project(prior, some), lengths = input.volume.project(mask, some);
    const auto view_of = [&](const Projections& model, std::int64_t i) {
      return CoarseView{model.view(i).data(),
                        static_cast<int>(d.columns),
                        static_cast<int>(d.rows),
                        static_cast<int>(pixels.first_row),
                        static_cast<int>(pixels.step_u),
                        static_cast<int>(pixels.step_v)};
    };
    parallel_for(count, [&](std::int64_t i) {
      replace_traces(p.view(first + i), view_of(expected, i), view_of(lengths, i), p.scan.detector, value);
    });
    watch.advance(count);
  }
  watch.end();
  return metal_text(found, volume.grid.voxels());
}

}  // namespace

VolumeGrid MetalVoxels::box(const VolumeGrid& grid) const {
  VolumeGrid part = grid;
  for (std::size_t a = 0; a < 3; ++a) part.size[a] = high[a] - low[a] + 1;
  const auto middle = [&](std::size_t a) { return 0.5 * static_cast<double>(low[a] + high[a]); };
  part.center = grid.voxel_center(middle(0), middle(1), middle(2));
  return part;
}

void refuse_too_much_metal(const MetalVoxels& metal, std::int64_t voxels, double threshold) {
  if (2 * metal.count > voxels)
    throw InputError("metal", fmt::format("{:.3g}/mm takes half of the volume for metal", threshold),
                     "give a value between the object's and the metal's");
}

std::string metal_text(const MetalVoxels& metal, std::int64_t voxels) {
  return metal.count > 0 ? fmt::format("{} of {} voxels", metal.count, voxels) : "no voxel is above the threshold";
}

CoarsePixels::CoarsePixels(const Scan& given, const VolumeGrid& grid, const VolumeGrid& metal)
    : step_u(1), step_v(1), first_row(0), scan(given) {
  Detector& d = scan.detector;
  if (d.shape == Detector::Shape::flat) {
    const View& view = given.views.front();
    const double magnification =
        view.beam == Beam::cone ? detector_normal(view).distance / glm::length(point_on_axis(view) - view.source) : 1;
    const auto pixels = [&](double voxel, double pixel, std::int64_t most) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(voxel * magnification / pixel + 1e-6), 1, most);
    };
    step_u = pixels(std::min(grid.spacing.x, grid.spacing.y), d.pixel_u, d.columns);
    step_v = pixels(grid.spacing.z, d.pixel_v, d.rows);
    d.columns = (given.detector.columns + step_u - 1) / step_u;
    d.rows = (given.detector.rows + step_v - 1) / step_v;
    d.pixel_u *= static_cast<double>(step_u);
    d.pixel_v *= static_cast<double>(step_v);
    for (View& v : scan.views) {
      v.center = detector_point(given.detector, v, 0.5 * static_cast<double>(step_u * d.columns - 1),
                                0.5 * static_cast<double>(step_v * d.rows - 1));
      v.u *= static_cast<double>(step_u);
      v.v *= static_cast<double>(step_v);
    }
  }
  const IndexRange rows = rows_seen(metal, scan, 1);
  first_row = rows.first;
  scan = rows_of_scan(scan, rows);
}

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
