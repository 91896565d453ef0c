#include <backlit/calibration/calibrate_moving_views.hpp>

#include <fmt/format.h>

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/data/placed_views.hpp>

namespace backlit {
namespace {

constexpr int most_passes = 4;
constexpr double rest = 0.02;  ///< px and degrees

using Source = std::shared_ptr<ProjectionSource>;

/// The axis and the direction of rotation, as far as views show them that may have moved. Such views show a wrong
/// rotation in the detector's plane.
GeometryCorrection rough_correction(ProjectionSource& source, const CalibrationOptions& options,
                                    std::vector<std::string>& notes, const Watch& watch) {
  try {
    const GeometryCorrection found = calibrate(source, options, watch).correction;
    return {.column_offset = found.column_offset, .reversed = found.reversed};
  } catch (const InputError& e) {
    notes.push_back(fmt::format("aligned without a first calibration: {}", e.what()));
    return {};
  }
}

Alignment align_further(const Source& source, const Scan& scan, const std::vector<ViewShift>& so_far,
                        const VolumeTools& tools, const AlignOptions& options, const Watch& watch) {
  PlacedViews placed(source, scan);
  Alignment found = align_views(placed, tools, options, watch);
  for (std::size_t i = 0; i < so_far.size(); ++i) {
    found.shifts[i].u += so_far[i].u;
    found.shifts[i].v += so_far[i].v;
  }
  return found;
}

}  // namespace

MovingViews calibrate_moving_views(const Source& source, const VolumeTools& tools, CalibrationOptions options,
                                   const AlignOptions& alignment, const Watch& watch) {
  if (options.known_length > 0)
    throw InputError("known_length", "views that moved are aligned without it", "calibrate the aligned scan with it");
  MovingViews found;
  std::vector<std::string> notes;
  const GeometryCorrection rough = rough_correction(*source, options, notes, watch);
  options.find_center = false;
  found.alignment = align_further(source, corrected(source->scan(), rough), {}, tools, alignment, watch);
  bool reversed = rough.reversed, moves = true;
  for (int pass = 0; moves && pass < most_passes; ++pass) {
    PlacedViews placed(source, found.alignment.scan);
    found.geometry = calibrate(placed, options, watch, Undetermined::left);  // the shifts are a result of their own
    if (pass == 0) notes.insert(notes.end(), found.geometry.notes.begin(), found.geometry.notes.end());
    const GeometryCorrection& by = found.geometry.correction;
    reversed = reversed != by.reversed;
    moves = by.reversed || std::abs(by.column_offset) > rest || std::abs(by.in_plane) > rest;
    found.alignment = align_further(source, found.geometry.scan, found.alignment.shifts, tools, alignment, watch);
  }
  found.geometry.notes = std::move(notes);
  found.geometry.scan = found.alignment.scan;
  found.geometry.correction.reversed = reversed;
  return found;
}

}  // namespace backlit
