// Numbers of the geometry that the user sets or a calibration finds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <backlit/calibration/calibrate.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

struct GeometryParameter {
  const char* name;   ///< in the state: "center_shift"
  const char* found;  ///< in a Calibration: "column_offset"
  double GeometryState::*member;
  double step;   ///< from one candidate to the next; keys move by it, or by a tenth
  bool axial;    ///< best judged in the axial slice; others in one along the axis
  int decimals;  ///< that its value deserves
};
/// Column of the axis, row, turn in the detector's plane, tilts, distance.
std::span<const GeometryParameter> geometry_parameters();
/// Throws InputError for an unknown name.
const GeometryParameter& geometry_parameter(const std::string& name);
const std::vector<std::string>& geometry_names();

/// The parameter as a calibration found it, or left it.
const CalibratedParameter& found_by(const Calibration&, const GeometryParameter&);
/// The state with a number that a calibration found, "reversed" for the direction; empty: all that it determined.
/// Throws InputError where it did not determine that.
GeometryState taken(GeometryState, const Calibration&, const std::string& name = "");

}  // namespace backlit::viewer
