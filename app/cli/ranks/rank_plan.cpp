#include "ranks/rank_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>
#include "large/ranks/rank_share.hpp"

namespace backlit::cli {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);
constexpr std::int64_t batch_bytes = std::int64_t{256} << 20;  // of views that FDK has at a time, unless four are more
constexpr double slab_sum_gb_s = 0.7;                          // through host memory: two ranks of one host
constexpr std::int64_t volumes_of_a_method = 6, views_of_a_method = 4;  // SIRT's and CGLS's, with room for a plan's

std::int64_t value_bytes(const PlannedWork& work) {
  return static_cast<std::int64_t>(work.cpu ? sizeof(double) : sizeof(float));
}

std::int64_t overlap(const IndexRange& a, const IndexRange& b) {
  return std::max<std::int64_t>(0, std::min(a.end(), b.end()) - std::max(a.first, b.first));
}

/// `cone512` on an H200 and an H100 (docs/benchmarks/backprojection.md, iterations.md).
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

double seconds(std::int64_t bytes, double gb_s) { return 1e-9 * static_cast<double>(bytes) / gb_s; }

/// What each rank has, and what it sends in all.
std::vector<PlannedRank> shares(const VolumeGrid& grid, const Scan& scan, const PlannedWork& work, int slabs) {
  const std::int64_t slice = grid.size[0] * grid.size[1], line = scan.detector.columns, views = scan.view_count();
  std::vector<PlannedRank> ranks;
  if (work.iterations == 0) {
    for (int g = 0; g < slabs; ++g) {
      const GroupShare group = share_of_group(grid, scan, work.ranks, slabs, g);
      for (std::size_t m = 0; m < group.views.size(); ++m) {
        PlannedRank& rank = ranks.emplace_back(PlannedRank{group.slab, group.rows, std::ssize(group.views[m])});
        rank.exchanged_bytes = (group.slab.count - group.summed[m].count) * slice * float_bytes;
      }
    }
    return ranks;
  }
  const std::vector<RankShare> all = share_among_ranks(grid, scan, {.model = Model::joseph}, work.ranks);
  for (const RankShare& mine : all) {
    PlannedRank& rank = ranks.emplace_back(PlannedRank{mine.slices, mine.rows, views});
    for (const RankShare& other : all)
      if (&other != &mine) rank.exchanged_bytes += overlap(mine.rows, other.rows) * line * views * value_bytes(work);
  }
  return ranks;
}

/// Memory and bytes from the disk.
void measure(PlannedRank& rank, const VolumeGrid& grid, const Scan& scan, const PlannedWork& work) {
  const std::int64_t slab = rank.slices.count * grid.size[0] * grid.size[1],
                     rows = rank.rows.count * scan.detector.columns, view = scan.detector.pixels() * float_bytes;
  const std::int64_t batch = std::min(rank.views, std::max<std::int64_t>(4, batch_bytes / view));
  rank.read_bytes = rank.views * rows * work.sample_bytes;
  if (work.iterations == 0) {
    // A slab as it is written, and a batch of views as it is read. A device keeps the rows of all views; the cpu
    // filters a batch of them.
    rank.host_bytes = slab * float_bytes + batch * view;
    rank.device_bytes = (slab + (work.cpu ? 2 * batch : rank.views) * rows) * value_bytes(work);
  } else {
    rank.host_bytes = slab * float_bytes + view;
    rank.device_bytes = (volumes_of_a_method * slab + views_of_a_method * rank.views * rows) * value_bytes(work);
  }
  if (work.corrected_sets == 0) return;
  rank.read_bytes = scan.view_count() * scan.detector.pixels() * work.sample_bytes;
  rank.corrected_bytes = work.corrected_sets * scan.view_count() * view;
  (work.cpu ? rank.host_bytes : rank.device_bytes) += rank.corrected_bytes;
}

}  // namespace

double RankPlan::total() const {
  return (overlaps ? std::max({read, upload, compute}) : read + upload + compute) + exchange + download + write;
}

RankPlan plan_ranks(const VolumeGrid& grid, const Scan& scan, const PlannedWork& work, const Rates& rates) {
  const bool filtered = work.iterations == 0;
  RankPlan plan;
  plan.rates = rates;
  if (rates.device == 0) plan.rates.device = measured_gups(work.precision, filtered);
  plan.overlaps = filtered && work.corrected_sets == 0;  // corrections take all views before the rest begins
  if (filtered && work.slabs > work.ranks)
    throw InputError("slabs", fmt::format("a plan of {} slabs by {} ranks is not known", work.slabs, work.ranks),
                     "plan one slab a rank at most");
  plan.slabs = filtered ? slabs_of_ranks(grid.size[2], work.ranks, work.slabs) : work.ranks;
  plan.ranks = shares(grid, scan, work, plan.slabs);
  double read = 0;
  for (PlannedRank& rank : plan.ranks) {
    measure(rank, grid, scan, work);
    const auto pixels = static_cast<double>(rank.views * rank.rows.count * scan.detector.columns);
    const std::int64_t slab = rank.slices.count * grid.size[0] * grid.size[1];
    const double updates = static_cast<double>(slab) * static_cast<double>(rank.views);
    // An iteration projects and backprojects, which takes about as long again.
    const double rounds = filtered ? 1 : 2 * static_cast<double>(work.iterations);
    const double compute = 1e-9 * (rounds * updates / plan.rates.device + (filtered ? pixels / plan.rates.filter : 0));
    const std::int64_t sent = rank.exchanged_bytes * std::max<std::int64_t>(1, work.iterations);
    plan.compute = std::max(plan.compute, compute);
    if (!work.cpu) {
      plan.upload = std::max(plan.upload, seconds(rank.read_bytes, rates.bus));
      const std::int64_t kept = slab * float_bytes - (filtered ? rank.exchanged_bytes : 0);
      plan.download = std::max(plan.download, seconds(kept, rates.bus));
    }
    const double link = filtered && work.cpu ? std::min(rates.link, slab_sum_gb_s) : rates.link;
    plan.exchange = std::max(plan.exchange, seconds(sent, link));
    read += seconds(rank.read_bytes, rates.disk);
  }
  plan.read = read;
  plan.write = seconds(grid.voxels() * float_bytes, rates.disk);
  return plan;
}

std::vector<RankPlan> plans_by_slabs(const VolumeGrid& grid, const Scan& scan, PlannedWork work, const Rates& rates) {
  std::vector<RankPlan> plans;
  const std::int64_t views = scan.view_count(), most = std::min<std::int64_t>(work.ranks, grid.size[2]);
  for (work.slabs = static_cast<int>(most); work.slabs > 0; --work.slabs)
    if (work.ranks % work.slabs == 0 && work.ranks / work.slabs <= views)
      plans.push_back(plan_ranks(grid, scan, work, rates));
  return plans;
}

}  // namespace backlit::cli
