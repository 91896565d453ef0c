// A drawing of a scan's geometry, to check scans from other machines.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

/// Two panels to scale: from above (x to the right, y up), and from the side (towards the source of view 0 to the left,
/// z up). Both show the path of the source with an arrow for its direction, some detectors, the volume and the axis.
/// View 0 is drawn with its detector, its beam and the corner of pixel (0, 0). Parallel beams are drawn from a distant
/// point. Throws InputError for a scan without views.
Image plot_scan(const Scan&, const VolumeGrid&, std::int64_t panel_size = 560);

}  // namespace backlit
