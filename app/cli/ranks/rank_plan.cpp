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

double measured_gups(Precision precision, bool filtered) {
  switch (precision) {
    case Precision::exact:
      return filtered ? 359 : 648;
    case Precision::fast:
      return filtered ? 982 : 743;
    case Precision::half:
      return filtered ? 3865 : 1963;
  }
  return 0;
}

double RankPlan::total() const {
  return (overlaps ? std::max({read, upload, compute}) : read + upload + compute) + exchange + download + write;
}

RankPlan plan_ranks(const VolumeGrid& grid, const Scan& scan, const PlannedWork& work, const Rates& rates) {
  const bool filtered = work.iterations == 0;
  CtOptions options;
  options.model = filtered ? Model::voxel_driven : Model::joseph;
  options.weighting = filtered ? Weighting::fdk : Weighting::none;
  const std::vector<RankShare> shares = share_among_ranks(grid, scan, options, work.ranks);
  const std::int64_t views = scan.view_count(), columns = scan.detector.columns,
                     view = scan.detector.pixels() * float_bytes, slice = grid.size[0] * grid.size[1],
                     value_bytes = work.cpu ? sizeof(double) : sizeof(float);
  const std::int64_t batch = std::min(views, std::max<std::int64_t>(4, batch_bytes / view));
  const double gups = rates.device > 0 ? rates.device : measured_gups(work.precision, filtered);
  RankPlan plan;
  plan.overlaps = filtered;
  double read = 0;
  for (const RankShare& mine : shares) {
    PlannedRank rank{mine.slices, mine.rows};
    const std::int64_t slab = mine.slices.count * slice, rows = mine.rows.count * columns;
    rank.read_bytes = views * rows * work.sample_bytes;
    if (filtered) {
      // A slab as it is written, and a batch of views as it is read. A device keeps the rows of all views; the cpu
      // filters a batch of them.
      rank.host_bytes = slab * float_bytes + batch * view;
      rank.device_bytes = (slab + (work.cpu ? 2 * batch : views) * rows) * value_bytes;
    } else {
      rank.host_bytes = slab * float_bytes + view;
      rank.device_bytes = (volumes_of_a_method * slab + views_of_a_method * views * rows) * value_bytes;
      for (const RankShare& other : shares)
        if (&other != &mine) rank.exchanged_bytes += overlap(mine.rows, other.rows) * columns * views * value_bytes;
    }
    const double updates = 1e-9 * static_cast<double>(slab) * static_cast<double>(views);
    // An iteration projects and backprojects, which takes about as long again.
    const double rounds = filtered ? 1 : 2 * static_cast<double>(work.iterations);
    const auto bus = [&](std::int64_t bytes) { return work.cpu ? 0 : 1e-9 * static_cast<double>(bytes) / rates.bus; };
    plan.compute = std::max(plan.compute, rounds * updates / gups);
    plan.upload = std::max(plan.upload, bus(views * rows * work.sample_bytes));
    plan.download = std::max(plan.download, bus(slab * float_bytes));
    plan.exchange =
        std::max(plan.exchange, 1e-9 * static_cast<double>(rank.exchanged_bytes * work.iterations) / rates.link);
    read += 1e-9 * static_cast<double>(rank.read_bytes);
    plan.ranks.push_back(rank);
  }
  plan.read = read / rates.disk;
  plan.write = 1e-9 * static_cast<double>(grid.voxels() * float_bytes) / rates.disk;
  return plan;
}

}  // namespace backlit::cli
