// The geometry that all views share and the shift of each view, found together.
#pragma once

#include <memory>

#include <backlit/calibration/align_views.hpp>
#include <backlit/calibration/calibrate.hpp>

namespace backlit {

struct MovingViews {
  Calibration geometry;  ///< its scan has the shifts too
  Alignment alignment;
};

/// Shifts of views and errors of the shared geometry disturb each other: aligns and calibrates in turn until the
/// geometry rests. `tools` give slices of 2 x AlignOptions::columns. Stages and exceptions as of calibrate() and
/// align_views().
MovingViews calibrate_moving_views(const std::shared_ptr<ProjectionSource>&, const VolumeTools& tools,
                                   CalibrationOptions, const AlignOptions&, const Watch& = {});

}  // namespace backlit
