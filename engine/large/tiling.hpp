// Into which tiles a volume and a scan are cut, so that an operator fits a device.
#pragma once

#include <optional>

#include <backlit/device/backend.hpp>

namespace backlit {

struct Tiling {
  Size3 tile{0, 0, 0};    ///< voxels; those at the upper ends of the grid may be smaller
  std::int64_t rows = 0;  ///< views at a time
};

/// Whether the grid's slices have to stay together: a single row of cells counts for a grid of one slice wherever that
/// lies (projectors/distance_driven/make_distance_driven.hpp), and would for every slab of one slice.
bool keeps_slices_together(const VolumeGrid&, const Scan&, const CtOptions&);

/// Views at a time where nothing else is asked for: a sixteenth of `memory` (0: all), but one.
std::int64_t views_at_a_time(const Scan&, std::int64_t memory);

/// Bytes that one tile and `rows` views take while an operator works on them: its plan, and two of each array.
std::int64_t working_bytes(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const Tiling&);

/// Bytes of the plans of tiles that are smaller than others, at the grid's upper ends.
std::int64_t smaller_plans_bytes(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, const Tiling&);

/// Whether nothing needs to be cut: the device takes such slices, and memory is enough for an operator of any model and
/// for as many arrays as a method makes of it. The same for all operators of one precision, which may work on each
/// other's arrays, unless a packing was asked for that takes more.
bool fits_whole(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t memory);

/// Bytes that a method's arrays and the largest plan take of a device at most where nothing is cut: 12 volumes and 6
/// sets of views. Column sums of subsets that are kept come on top.
std::int64_t most_bytes_of_a_method(const VolumeGrid&, const Scan&);

/// The same for emission, whose plan has images of the views at work, and what their planes are given (EmissionRoom).
std::int64_t most_bytes_of_emission(const VolumeGrid&, const Scan&, const EmissionOptions&);

/// The largest tiles that the device takes and that need no more than half of `memory` (0: any amount); z is cut first,
/// where slices need not stay together, but for branchless_dd last.
/// `rows` > 0 fixes the views at a time. Throws InputError("--gpu-memory") when not even a row of voxels fits.
Tiling find_tiling(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t memory,
                   std::int64_t rows = 0);

/// The same with slices in one piece, as packings by quarter turns want them; nothing where there is no room for that.
std::optional<Tiling> find_tiling_in_slabs(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&,
                                           std::int64_t memory, std::int64_t rows);

}  // namespace backlit
