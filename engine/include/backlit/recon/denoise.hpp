// Noise in a volume: how much there is, and smoothing that keeps edges.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/device/backend.hpp>

namespace backlit {

/// Standard deviation of the noise in a voxel: the median magnitude of second differences along x and y (Immerkaer,
/// Comput. Vis. Image Underst. 64 (1996) 300; Donoho, IEEE Trans. Inf. Theory 41 (1995) 613), which edges hardly
/// change. Places without a difference, as around a masked object, do not count. 0 for slices of fewer than 3 x 3.
double noise_in(const Volume&);

/// The volume x that minimises 1/2 |x - v|^2 + radius TV(x), by 30 steps on the dual (see device/total_variation.hpp).
/// `radius`: in the volume's unit; as much as the noise removes most of it, more smooths more. Takes five arrays of the
/// volume's size on the backend. Throws Unsupported where the backend has no operations on neighbours, Failure where
/// memory is exhausted, Cancelled.
Volume denoised(Backend&, const Volume&, double radius, const Watch& = {});

}  // namespace backlit
