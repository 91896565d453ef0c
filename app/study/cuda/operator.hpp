// Backprojectors chosen by name only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "cuda/voxel_driven/named_kernel.hpp"

namespace backlit::cuda {

class CudaBackend;

/// The course's "global", "texture", "shared_projection", "shared_volume". Zinsser and Keck's "kernel_a", "kernel_b"
/// (their best configurations here), and each configuration by its full name, for analysis with ",no_fetch" or
/// ",instructions". "orbit_mma" (study/cuda/orbit_mma.hpp) and "orbit_rows" (study/cuda/orbit_rows.hpp).
const std::vector<std::string>& study_variants();
bool is_study_variant(const std::string& name);
/// Packing, interpolation and texels of a kernel.
NamedKernel study_kernel(const std::string& name);

/// `options.variant` must be one of study_variants(). Flat detectors only; FDK's weights as in `options`.
std::unique_ptr<LinearOperator> make_study_backprojector(CudaBackend&, const VolumeGrid&, const Scan&,
                                                         const CtOptions& options);

}  // namespace backlit::cuda
