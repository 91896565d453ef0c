// Image quality of hot rods (Derenzo's and others'): how deep the valleys between rods of each size are.
#pragma once

#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/phantom/phantom.hpp>

namespace backlit {

/// The middle between two rods that are neighbours, by their numbers.
struct RodValley {
  glm::dvec2 at{};
  std::size_t one = 0, other = 0;
};

/// Rods of one size, along z, all mm.
struct RodSector {
  double diameter = 0;
  std::vector<glm::dvec2> rods;  ///< their axes
  std::vector<RodValley> valleys;
  std::vector<std::size_t> row;  ///< the longest row of neighbours, one behind the other on a line
  double low_z = 0, high_z = 0;  ///< the middle 80 % of their length
};

/// From the phantom's bodies, thin rods first: cylinders along z of equal radius, three or more; neighbours are those
/// that lie closest, within 5 %. Empty when there are none.
std::vector<RodSector> rod_sectors(const Phantom&);

struct RodQuality {
  double diameter = 0;        ///< mm
  double valley_to_peak = 0;  ///< means over all valleys and all rods; 0 is perfect, 1 means unresolved
  double peak = 0;            ///< in the image's unit
  double spread = 0;          ///< percent: standard deviation over mean of single rods in single slices
  /// percent of the pairs of neighbours, slice by slice, whose valley is below 73.5 % (Rayleigh) of the lower of both
  /// rods; of noise alone up to a third are
  double told_apart = 0;
  /// along the sector's row, from the edge of its first rod to that of its last: mm from the first rod's axis, and
  /// means of a voxel's width over the slices, over `peak`
  std::vector<double> profile_mm, profile;
};

/// Means over discs of half the rods' diameter, in all slices of the middle 80 % of their length. Throws InputError
/// when rods leave the volume, or are 0 throughout.
std::vector<RodQuality> measure_rods(const Volume&, const std::vector<RodSector>&);

}  // namespace backlit
