// The picture that `calibrate --report` writes.
#pragma once

#include <optional>

#include <backlit/calibration/align_views.hpp>
#include <backlit/calibration/calibrate.hpp>
#include <backlit/core/progress.hpp>
#include <backlit/recon/session.hpp>
#include <backlit/render/image.hpp>

namespace backlit::cli {

/// The middle slice with the scan file's geometry and with the calibrated geometry, and the criterion along each
/// parameter. With views that moved, their shifts and the alignment's progress.
Image calibration_report(const Calibration&, const std::optional<Alignment>&, const Session&, const Watch&);

}  // namespace backlit::cli
