// A scan's geometry as a drawing, to check a scan that comes from another machine.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

/// Two panels to scale: from above (x to the right, y up), and from the side (towards the source of view 0 to the left,
/// z up). In both the path of the source with an arrow for its sense, view 0 with its detector, beam and the corner of
/// pixel (0, 0), some other views' detectors, the volume and the axis. Parallel beams come from a point well away.
/// Throws InputError for a scan without views.
Image plot_scan(const Scan&, const VolumeGrid&, std::int64_t panel_size = 560);

}  // namespace backlit
