// Image quality of hot rods (Derenzo's and others'): depth of the valleys between rods of each size.
#pragma once

#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

/// The middle between two neighbouring rods.
struct RodValley {
  glm::dvec2 at{};
  std::size_t one = 0, other = 0;
};

/// Rods of one size, along z, all mm.
struct RodSector {
  double diameter = 0;
  std::vector<glm::dvec2> rods;  ///< their axes
  std::vector<RodValley> valleys;
  std::vector<std::size_t> row;  ///< the longest row of neighbours on a straight line
  double low_z = 0, high_z = 0;  ///< the middle 80 % of their length
};

/// Finds the sectors of a phantom, thin rods first. A sector has three or more cylinders along z of equal radius.
/// Neighbours are pairs whose distance is at most 5 % above the smallest. Empty when there are none.
std::vector<RodSector> rod_sectors(const Phantom&);

struct RodQuality {
  double diameter = 0;        ///< mm
  double valley_to_peak = 0;  ///< mean of all valleys over mean of all rods; 0 is perfect, 1 unresolved
  double peak = 0;            ///< in the image's unit
  double spread = 0;          ///< percent: standard deviation over mean of single rods in single slices
  /// Percent of the neighbours, slice by slice, that are resolved: their valley is below 73.5 % (Rayleigh) of the lower
  /// rod. In noise alone up to a third count as resolved.
  double separated = 0;
  /// Profile along the sector's row, from the edge of its first rod to the edge of its last. Positions are mm from the
  /// first rod's axis, values are relative to `peak`. A value is the mean over all slices of a disc as wide as a voxel.
  std::vector<double> profile_mm, profile;
};

/// Measures means over discs of half the rods' diameter, in all slices of the middle 80 % of their length. Throws
/// InputError when rods leave the volume, or all rods are 0.
std::vector<RodQuality> measure_rods(const Volume&, const std::vector<RodSector>&);

}  // namespace backlit
