#include "large/ranks/rank_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <backlit/core/error.hpp>
#include "large/cut.hpp"
#include "large/seen_views.hpp"

namespace backlit {
namespace {

/// A run of views in each quarter of the scan where these can be shared equally, so that views a quarter turn apart
/// stay together: devices pack them. Else one run.
std::vector<std::int64_t> views_of_member(std::int64_t views, int members, int member) {
  const std::int64_t runs = views % (std::int64_t{4} * members) == 0 ? 4 : 1, run = views / runs;
  std::vector<std::int64_t> mine;
  for (std::int64_t r = 0; r < runs; ++r) {
    const IndexRange part = slices_of_rank(run, members, member);
    for (std::int64_t view = part.first; view < part.end(); ++view) mine.push_back(r * run + view);
  }
  return mine;
}

/// Rows that no slab sees go to the rank whose rows are nearest.
void cover(std::vector<RankShare>& shares, std::int64_t rows) {
  for (std::int64_t row = 0; row < rows; ++row) {
    RankShare* nearest = nullptr;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (RankShare& s : shares) {
      const std::int64_t away = row < s.rows.first ? s.rows.first - row : row - (s.rows.end() - 1);
      if (away < least) {
        least = away;
        nearest = &s;
      }
    }
    if (least <= 0) continue;
    const std::int64_t first = std::min(nearest->rows.first, row);
    nearest->rows = {first, std::max(nearest->rows.end(), row + 1) - first};
  }
}

}  // namespace

IndexRange slices_of_rank(std::int64_t slices, int ranks, int rank) {
  const std::int64_t each = slices / ranks, more = slices % ranks;
  return {rank * each + std::min<std::int64_t>(rank, more), each + (rank < more ? 1 : 0)};
}

void require_slices(std::int64_t slices, int ranks) {
  if (ranks > slices)
    throw InputError("ranks", fmt::format("{} ranks for {} slice{}", ranks, slices, slices == 1 ? "" : "s"),
                     fmt::format("start at most {}; `method` fdk alone shares views, too", slices));
}

std::vector<RankShare> share_among_ranks(const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
                                         int ranks) {
  require_slices(grid.size[2], ranks);
  if (ranks > 1 && keeps_slices_together(grid, scan, options))
    throw InputError("ranks", "a detector of one row is seen by all slices with this `model`",
                     "use `model` joseph, or one process");
  const bool filtered = options.weighting == Weighting::fdk;
  std::vector<RankShare> shares;
  for (int r = 0; r < ranks; ++r) {
    const IndexRange slices = slices_of_rank(grid.size[2], ranks, r);
    const VolumeGrid slab = slab_of(grid, slices.first, slices.count);
    shares.push_back({slices, rows_seen(slab, scan, filtered ? 0 : widest_voxel)});
  }
  if (!filtered) cover(shares, scan.detector.rows);
  return shares;
}

int slabs_of_ranks(std::int64_t slices, int ranks, int asked) {
  if (asked == 0)
    for (asked = ranks; asked > slices || ranks % asked != 0;) --asked;
  if (ranks % asked != 0 && asked % ranks != 0)
    throw InputError("slabs", fmt::format("{} ranks cannot share {} slabs equally", ranks, asked),
                     "give a number that divides the ranks, or a multiple of them");
  if (asked > slices)
    throw InputError("slabs", fmt::format("{} slabs of {} slices", asked, slices),
                     fmt::format("give at most {}", slices));
  return asked;
}

GroupShare share_of_group(const VolumeGrid& grid, const Scan& scan, int ranks, int slabs, int group) {
  const int members = ranks / slabs;
  if (members > scan.view_count())
    throw InputError("ranks", fmt::format("{} ranks share {} views", members, scan.view_count()),
                     fmt::format("start at most {}", slabs * scan.view_count()));
  GroupShare share{group * members, members, slices_of_rank(grid.size[2], slabs, group), {}, {}, {}};
  for (int m = 0; m < members; ++m) {
    const IndexRange part = slices_of_rank(share.slab.count, members, m);
    share.summed.push_back({share.slab.first + part.first, part.count});
    share.views.push_back(views_of_member(scan.view_count(), members, m));
  }
  share.rows = rows_seen(slab_of(grid, share.slab.first, share.slab.count), scan, 0);
  return share;
}

}  // namespace backlit
