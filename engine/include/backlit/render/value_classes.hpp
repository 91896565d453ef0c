// Classes of a volume's values: surroundings, object, and a denser part of the object.
#pragma once

#include <span>

#include <backlit/geometry/volume_grid.hpp>
#include <backlit/render/transfer_function.hpp>

namespace backlit {

/// Thresholds after Otsu (IEEE Trans. Syst. Man Cybern. 9 (1979) 62), in the volume's values.
struct ValueClasses {
  double background = 0;   ///< mean of the values below `object`
  double object = 0;       ///< values above it belong to the object
  double body = 0;         ///< mean of the object, or of its less dense part if it has two
  bool two_parts = false;  ///< whether the object has two clearly separate classes
  double dense = 0;        ///< values above it belong to the denser part
  double core = 0;         ///< mean of that part
  double noise = 0;        ///< standard deviation of the most frequent values
  double high = 0;         ///< nearly all values lie below it

  bool operator==(const ValueClasses&) const = default;
};

/// Finds the classes. `sorted`: values of a volume, sampled evenly, finite, in rising order. When all values are equal,
/// all thresholds are that value.
ValueClasses value_classes(std::span<const float> sorted);

/// The same of values in any order, of many of which every n-th is taken; those that are not finite are left out.
ValueClasses classes_of(std::span<const float> values);

/// Whether a volume is so much wider than high that its axial slices are what there is to see.
bool is_flat(const VolumeGrid&);

/// The transfer function `auto`: shows the object as a whole, its denser part through it where there is one. In the
/// volume's values. What is seen through is as thick as the volume, of a flat one as thick as that is high.
TransferFunction fitting_transfer_function(const ValueClasses&, const VolumeGrid&);
/// A surface that is worth seeing: of the denser part, else of the object.
double fitting_iso(const ValueClasses&);

}  // namespace backlit
