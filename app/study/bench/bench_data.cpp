#include "study/bench/bench_data.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/parallel.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "geometry/make_view_map.hpp"
#include "projectors/shared/bilinear.hpp"

namespace backlit {
namespace {

constexpr std::int64_t sample_size = 20000;

/// Random voxels within +-reach of the grid's extent around its middle.
std::vector<std::int64_t> sample_voxels(const VolumeGrid& grid, double reach) {
  std::vector<float> random(3 * sample_size);
  fill_random(random);
  std::vector<std::int64_t> voxels;
  for (std::size_t n = 0; n < random.size(); n += 3) {
    std::int64_t at[3];
    for (std::size_t a = 0; a < 3; ++a) {
      const auto size = static_cast<double>(grid.size[a]);
      at[a] = static_cast<std::int64_t>(size * (0.5 + reach * static_cast<double>(random[n + a])));
    }
    voxels.push_back((at[2] * grid.size[1] + at[1]) * grid.size[0] + at[0]);
  }
  return voxels;
}

std::vector<ViewMap<double>> maps_of(const BenchCase& c) {
  std::vector<ViewMap<double>> maps;
  for (const View& view : c.scan.views)
    maps.push_back(in_voxels(make_view_map(c.scan.detector, view), c.grid.first_voxel(), c.grid.spacing));
  return maps;
}

/// FDK-weighted backprojection of one voxel.
double backproject_voxel(const BenchCase& c, const std::vector<ViewMap<double>>& maps, const HostArray<float>& views,
                         std::int64_t voxel) {
  const Detector& d = c.scan.detector;
  const PlaneLayout plane = image_plane(d.columns, d.rows);
  const std::int64_t nx = c.grid.size[0], ny = c.grid.size[1];
  double sum = 0;
  for (std::size_t n = 0; n < maps.size(); ++n) {
    DetectorPosition<double> at;
    if (!project_voxel(maps[n], voxel % nx, voxel / nx % ny, voxel / (nx * ny), at)) continue;
    const double ratio = axis_distance(c.scan.views[n]) / at.depth;
    const float* view = views.data() + static_cast<std::int64_t>(n) * d.pixels();
    sum += ratio * ratio * interpolate(view, plane, at.column, at.row);
  }
  return sum;
}

/// Share of voxels times views with the voxel in front of the source and keep(view, position) true; over a sample of
/// 20,000 voxels.
template <class Keep>
double share_of_updates(const BenchCase& c, Keep&& keep) {
  const auto maps = maps_of(c);
  const std::vector<std::int64_t> voxels = sample_voxels(c.grid, 0.5);
  const std::int64_t nx = c.grid.size[0], ny = c.grid.size[1];
  const double kept = parallel_sum(
      static_cast<std::int64_t>(voxels.size()),
      [&](std::int64_t begin, std::int64_t end) {
        double n = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t voxel = voxels[static_cast<std::size_t>(i)];
          for (std::size_t view = 0; view < maps.size(); ++view) {
            DetectorPosition<double> at;
            n += project_voxel(maps[view], voxel % nx, voxel / nx % ny, voxel / (nx * ny), at) && keep(view, at);
          }
        }
        return n;
      },
      1000);
  return kept / static_cast<double>(voxels.size() * maps.size());
}

}  // namespace

void fill_random(std::span<float> values) {
  std::uint32_t state = 1;
  for (float& v : values) {
    state = state * 1664525u + 1013904223u;
    v = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
  }
}

BenchData random_views(const BenchCase& c) {
  BenchData data;
  data.views = HostArray<float>(c.scan.view_count() * c.scan.detector.pixels());
  fill_random(data.views.span());
  return data;
}

BenchData head_views(const BenchCase& c, const HeadOptions& options) {
  BenchData data;
  data.views = HostArray<float>(c.scan.view_count() * c.scan.detector.pixels());
  const Phantom head = load_phantom(options.phantom);
  project_phantom(head, c.scan, 0, c.scan.view_count(), options.supersampling, data.views.span());
  if (options.open > 0)
    for (float& p : data.views.span())
      p = static_cast<float>(
          std::log(options.open / std::max(1.0, std::round(options.open * std::exp(-static_cast<double>(p))))));
  if (options.keep_integrals) data.integrals = data.views.clone();
  FdkFilter(c.scan, options.filter).run(0, data.views.span());

  const auto sample = [&](double reach) {
    VoxelSample s{sample_voxels(c.grid, reach), {}};
    s.values = backproject_voxels(c, data.views, s.voxels);
    return s;
  };
  data.middle = sample(options.middle);
  data.all = sample(0.5);
  return data;
}

// Each ray becomes a view of one pixel with its own size and position.
BenchRays head_rays(const BenchCase& c, const CtOptions& options) {
  BenchRays head{voxelize(load_phantom("forbild-head-plain"), c.grid, 1).values, {}, {}};
  std::vector<float> random(4000);
  fill_random(random);
  const auto count = static_cast<double>(c.scan.view_count() * c.scan.detector.pixels());
  for (const float r : random)
    head.rays.push_back(static_cast<std::int64_t>(count * 0.5 * (1 + static_cast<double>(r))));
  head.values = rays_in_double(c, head, options);
  return head;
}

std::vector<double> rays_in_double(const BenchCase& c, const BenchRays& head, const CtOptions& options) {
  const Detector& d = c.scan.detector;
  Scan rays{d, {}};
  rays.detector.columns = rays.detector.rows = 1;
  rays.detector.shape = Detector::Shape::flat;
  for (const std::int64_t ray : head.rays) {
    View view = c.scan.views[static_cast<std::size_t>(ray / d.pixels())];
    view.center =
        detector_point(d, view, static_cast<double>(ray % d.columns), static_cast<double>(ray / d.columns % d.rows));
    rays.views.push_back(view);
  }
  CtOptions exact;
  exact.model = options.model == Model::branchless_dd ? Model::distance_driven : options.model;
  exact.precision = Precision::exact;
  exact.stack = stack_of(options, options.variant);
  exact.step = options.step;
  const auto cpu = make_backend("cpu");
  const auto ct = cpu->make_ct(c.grid, rays, exact);
  const ArrayPtr x = ct->make_domain(), y = ct->make_range(rays.view_count());
  cpu->upload(head.volume.span(), *x);
  ct->forward(*x, *y, ct->all(), Write::overwrite);
  std::vector<float> values(head.rays.size());
  cpu->download(*y, values);
  return {values.begin(), values.end()};
}

StackChoice stack_of(const CtOptions& o, const std::string& variant) {
  const bool by_view = o.stack == StackChoice::view || variant.find("stack=view") != std::string::npos;
  return o.model == Model::joseph && by_view ? StackChoice::view : StackChoice::automatic;
}

double relative_l2(const BenchRays& head, std::span<const float> views) {
  double off = 0, all = 0;
  for (std::size_t n = 0; n < head.rays.size(); ++n) {
    off += std::pow(static_cast<double>(views[static_cast<std::size_t>(head.rays[n])]) - head.values[n], 2);
    all += head.values[n] * head.values[n];
  }
  return std::sqrt(off / all);
}

double share_of_hits(const BenchCase& c) {
  const auto columns = static_cast<double>(c.scan.detector.columns), rows = static_cast<double>(c.scan.detector.rows);
  return share_of_updates(c, [&](std::size_t, const DetectorPosition<double>& at) {
    return at.column > -1 && at.row > -1 && at.column < columns && at.row < rows;
  });
}

double share_of_additions(const BenchCase& c, const HostArray<float>& views) {
  const Detector& d = c.scan.detector;
  const PlaneLayout plane = image_plane(d.columns, d.rows);
  return share_of_updates(c, [&](std::size_t view, const DetectorPosition<double>& at) {
    return interpolate(views.data() + static_cast<std::int64_t>(view) * d.pixels(), plane, at.column, at.row) != 0;
  });
}

std::vector<double> backproject_voxels(const BenchCase& c, const HostArray<float>& views,
                                       std::span<const std::int64_t> voxels) {
  const auto maps = maps_of(c);
  std::vector<double> values(voxels.size());
  parallel_for(static_cast<std::int64_t>(voxels.size()), [&](std::int64_t i) {
    const auto n = static_cast<std::size_t>(i);
    values[n] = backproject_voxel(c, maps, views, voxels[n]);
  });
  return values;
}

double rmse_hu(const VoxelSample& sample, std::span<const float> volume) {
  double sum = 0;
  for (std::size_t n = 0; n < sample.voxels.size(); ++n) {
    const double difference =
        static_cast<double>(volume[static_cast<std::size_t>(sample.voxels[n])]) - sample.values[n];
    sum += difference * difference;
  }
  return 1000 / water * std::sqrt(sum / static_cast<double>(sample.voxels.size()));
}

RabbitError rabbitct_error(const VoxelSample& sample, std::span<const float> volume) {
  const auto stored = [](double value) { return std::clamp(1000 / water * (value - water) + 1024, 0.0, 4095.0); };
  RabbitError error;
  double sum = 0;
  for (std::size_t n = 0; n < sample.voxels.size(); ++n) {
    const double value = static_cast<double>(volume[static_cast<std::size_t>(sample.voxels[n])]);
    const double difference = std::abs(stored(value) - stored(sample.values[n]));
    sum += difference * difference;
    error.max_hu = std::max(error.max_hu, difference);
  }
  error.rmse_hu = std::sqrt(sum / static_cast<double>(sample.voxels.size()));
  error.psnr_db = error.rmse_hu > 0 ? 20 * std::log10(4095 / error.rmse_hu) : 999;
  return error;
}

}  // namespace backlit
