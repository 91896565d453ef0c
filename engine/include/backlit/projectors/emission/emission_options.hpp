// Options of the emission operator (SPECT-like: activity seen through attenuating and scattering material).
#pragma once

#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/projectors/ct_options.hpp>

namespace backlit {

struct EmissionOptions {
  /// axis: slices perpendicular to the grid axis that is most parallel to the view's direction. facing: planes parallel
  /// to the detector, the smallest voxel spacing apart, sampled trilinearly.
  enum class Slices { axis, facing };
  /// The model of back(). `matched`: the whole model of forward(), its adjoint. `attenuated`: attenuation without
  /// scatter. `plain`: the transpose of plain line integrals.
  enum class Back { matched, attenuated, plain };

  Precision precision = Precision::exact;
  Slices slices = Slices::axis;
  Back back = Back::matched;
  /// Standard deviation, in mm, of the blur that 100 mm of path add; 0: no blur.
  double scatter_mm = 0;
  /// The blur of a slab is proportional to the attenuation in it, relative to the densest voxel.
  bool scatter_by_attenuation = false;
  /// The blur grows in proportion to the distance from the detector, as a collimator's does. Otherwise it grows with
  /// the square root of the path length, as a random walk's does.
  bool scatter_by_distance = true;
  /// A slab uses each ray's own path length (1/cos) and magnification. Otherwise it uses its thickness and the
  /// magnification at the middle of the slice.
  bool scatter_by_direction = true;
  /// Distance from the grid's middle to the detector's face, along the detector's normal. 0: the distance of the
  /// detector in the view, or of the grid's end when that is larger (the position of a parallel view's detector is
  /// arbitrary).
  double detector_mm = 0;
  Pipeline pipeline = Pipeline::automatic;
  std::string variant{};  ///< see CtOptions::variant
};

const char* name(EmissionOptions::Slices);
const char* name(EmissionOptions::Back);
EmissionOptions::Slices slices_from(const std::string& name);  ///< throws InputError listing the names
EmissionOptions::Back back_from(const std::string& name);      ///< throws InputError listing the names

/// The same options in the form of flags and files.
struct EmissionWords {
  std::string attenuation{};  ///< file of a volume; programs read it and pass its values to the operator
  double scatter = 0;
  std::string scatter_kernel = "distance,direction";  ///< what it depends on: attenuation, distance, direction, or none
  std::string emission_slices = "axis", emission_back = "matched";
  double detector_distance = 0;
};

Parameters describe(EmissionWords&);
/// Throws InputError for names that do not exist.
EmissionOptions emission_options(const EmissionWords&, Precision, Pipeline = Pipeline::automatic);

}  // namespace backlit
