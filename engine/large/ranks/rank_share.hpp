// How ranks share a volume and its projections: slabs of slices, and the detector rows that these project to.
#pragma once

#include <vector>

#include <backlit/core/index_range.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "geometry/rows_seen.hpp"

namespace backlit {

struct RankShare {
  IndexRange slices;
  IndexRange rows;  ///< of every view; those of two ranks may overlap
};

/// The shares of all ranks. Slices are shared equally. Filtered backprojection reads the rows that a slab sees; other
/// operators, which compare with measured data, have each row at some rank. Throws InputError("ranks") where there are
/// more ranks than slices, or slices must stay together.
std::vector<RankShare> share_among_ranks(const VolumeGrid&, const Scan&, const CtOptions&, int ranks);

/// Slices that a rank of so many has.
IndexRange slices_of_rank(std::int64_t slices, int ranks, int rank);

/// Throws InputError("ranks") where there are more ranks than slices.
void require_slices(std::int64_t slices, int ranks);

/// The number of slabs in filtered backprojection. Each is made by equally many ranks, or each rank makes equally many.
/// `asked` 0: one a rank, or the most that slices and ranks allow. Throws InputError("slabs") for numbers that neither
/// divide the ranks nor are multiples of them, or are more than the slices.
int slabs_of_ranks(std::int64_t slices, int ranks, int asked);

/// What a rank has of filtered backprojection where several ranks, numbered one after another, make a slab together:
/// each from a share of the views. Their sum is divided among them by slices.
struct GroupShare {
  int first_rank, ranks;                         ///< of the group
  IndexRange slab;                               ///< slices that the group adds up
  std::vector<IndexRange> summed;                ///< slices of the sum that each rank gets; may be none
  IndexRange rows;                               ///< of every view
  std::vector<std::vector<std::int64_t>> views;  ///< of each rank
};

/// Of group `group`, of as many as there are slabs. Throws InputError("ranks") where it has more ranks than there are
/// views.
GroupShare share_of_group(const VolumeGrid&, const Scan&, int ranks, int slabs, int group);

}  // namespace backlit
