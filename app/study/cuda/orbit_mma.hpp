// Backprojection with tensor cores, for studies: see study/orbit_lines/orbit_lines.hpp.
#pragma once

#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "cuda/voxel_driven/kernels.hpp"
#include "study/orbit_lines/make_orbit_lines.hpp"

namespace backlit::cuda {

class CudaBackend;

/// Parameters of a launch.
struct LineSetup {
  int side, slices;       ///< tile: 8 x 8 orbits of 32 or 16 slices, or 16 x 16 orbits of 8
  int batch;              ///< groups staged together: 8, 4, 2 or 1
  int columns, rows;      ///< stored texels of a window
  int texels;             ///< texels of a window in shared memory
  std::size_t bytes = 0;  ///< shared memory
};
/// Bytes of shared memory that a block may have on the current device. Throws Unsupported if the device code lacks the
/// instructions.
std::size_t require_tensor_cores();
/// The first setup that fits into this much shared memory; throws Unsupported if none fits.
LineSetup choose_setup(const OrbitLines&, std::int64_t slices_of_grid, std::size_t most_bytes);

/// Eight halves: the eight lines of one side.
using LineTexel = uint4;

/// Packs views on the device into lines[group][side][column][row]; order[8 group + 4 side + channel] is the view.
/// Values are divided by *unit.
void pack_lines(Stream&, const float* views, const Detector&, const int* order, int groups, const LineScan&,
                const LineSources&, const float* unit, LineTexel* lines);

/// Adds to the whole volume or overwrites it (slab.z0 = 0). groups.first_layer is the first of these groups in `lines`.
void backproject_lines(Stream&, const LineTexel* lines, const float* unit, bool weighted, const LineScan&,
                       const LineSetup&, const OrbitGroups&, const VolumeSlab&);

/// "orbit_mma". Throws Unsupported with the reason if the scan has no mirror images, or if the window of a tile of
/// voxels exceeds shared memory.
std::unique_ptr<LinearOperator> make_line_backprojector(CudaBackend&, const VolumeGrid&, const Scan&,
                                                        const CtOptions& options);

}  // namespace backlit::cuda
