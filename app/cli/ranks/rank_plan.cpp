#include "ranks/rank_plan.hpp"

#include <algorithm>

#include "large/ranks/rank_share.hpp"

namespace backlit::cli {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);
constexpr std::int64_t batch_bytes = std::int64_t{256} << 20;  // of views that FDK has at a time, unless four are more
constexpr std::int64_t volumes_of_a_method = 6, views_of_a_method = 4;  // SIRT's and CGLS's, with room for a plan's

std::int64_t overlap(const IndexRange& a, const IndexRange& b) {
  return std::max<std::int64_t>(0, std::min(a.end(), b.end()) - std::max(a.first, b.first));
}

}  // namespace

RankPlan plan_ranks(const VolumeGrid& grid, const Scan& scan, int ranks, std::int64_t iterations,
                    std::int64_t sample_bytes, std::int64_t value_bytes, const Rates& rates) {
  const bool filtered = iterations == 0;
  CtOptions options;
  options.model = filtered ? Model::voxel_driven : Model::joseph;
  options.weighting = filtered ? Weighting::fdk : Weighting::none;
  const std::vector<RankShare> shares = share_among_ranks(grid, scan, options, ranks);
  const std::int64_t views = scan.view_count(), columns = scan.detector.columns,
                     view = scan.detector.pixels() * float_bytes, slice = grid.size[0] * grid.size[1];
  const std::int64_t batch = std::min(views, std::max<std::int64_t>(4, batch_bytes / view));
  RankPlan plan;
  double read = 0;
  for (const RankShare& mine : shares) {
    PlannedRank rank{mine.slices, mine.rows};
    const std::int64_t slab = mine.slices.count * slice, rows = mine.rows.count * columns;
    rank.read_bytes = views * rows * sample_bytes;
    if (filtered) {
      // A slab as it is written, a batch as it is read and its rows as they are filtered.
      rank.host_bytes = slab * float_bytes + batch * (view + rows * float_bytes);
      rank.device_bytes = (slab + 2 * batch * rows) * value_bytes;
    } else {
      rank.host_bytes = slab * float_bytes + view;
      rank.device_bytes = (volumes_of_a_method * slab + views_of_a_method * views * rows) * value_bytes;
      for (const RankShare& other : shares)
        if (&other != &mine) rank.exchanged_bytes += overlap(mine.rows, other.rows) * columns * views * value_bytes;
    }
    const double updates = 1e-9 * static_cast<double>(slab) * static_cast<double>(views);
    // An iteration projects and backprojects, which takes about as long again, and its views cross the bus both ways to
    // be added up.
    const double rounds = filtered ? 1 : 2 * static_cast<double>(iterations);
    const double crossing = static_cast<double>(views * rows * float_bytes) * (filtered ? 1 : 1 + rounds);
    plan.compute = std::max(plan.compute, rounds * updates / rates.device);
    plan.bus = std::max(plan.bus, 1e-9 * (crossing + static_cast<double>(slab * float_bytes)) / rates.bus);
    plan.exchange = std::max(plan.exchange, 1e-9 * static_cast<double>(rank.exchanged_bytes * iterations) / rates.link);
    read += 1e-9 * static_cast<double>(rank.read_bytes);
    plan.ranks.push_back(rank);
  }
  plan.read = read / rates.disk;
  plan.write = 1e-9 * static_cast<double>(grid.voxels() * float_bytes) / rates.disk;
  return plan;
}

}  // namespace backlit::cli
