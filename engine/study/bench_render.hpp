// Times volume rendering.
#pragma once

#include "study/bench.hpp"

namespace backlit {

/// Pictures of `side` x `side` pixels of the FORBILD head on the case's grid, already on the device, the grid's box
/// filling 70 % of the picture; samples a voxel apart. One row for each mode (all when `mode` is empty), shader path,
/// texel format, and with and without leaping over bricks that cannot be seen; "all samples" also goes on where nothing
/// more can be seen. Rate: frames a second, to the picture in colours. The backend must be gl: throws Unsupported.
/// `report` gets each row when it is there.
void bench_rendering(Backend&, const BenchCase&, const std::string& mode, std::int64_t side, std::int64_t repeats,
                     const std::function<void(const BenchRow&)>& report);

}  // namespace backlit
