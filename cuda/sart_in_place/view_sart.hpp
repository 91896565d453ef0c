// SART with the volume corrected in place, on the device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>

namespace backlit::cuda {

class CudaBackend;

/// "pitch2d", "surface3d", "texture3d", "array2d" (see cuda/sart_in_place/kernels.hpp), each alone and with ",matched";
/// texture3d and array2d also with ",copy": a copy of the whole volume after each view, as in the paper, where
/// otherwise corrections are written to both.
const std::vector<std::string>& view_sart_names();

/// Throws Unsupported where the grid is larger than textures of the representation can be.
std::unique_ptr<ViewSart> make_cuda_view_sart(CudaBackend&, const VolumeGrid&, const Scan&, const std::string& variant);

}  // namespace backlit::cuda
