// Classes of a volume's values: surroundings, object, and a denser part of the object.
#pragma once

#include <span>

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

/// A transfer function that shows the whole object, with its denser part visible through it. In the volume's values.
TransferFunction fitting_transfer_function(const ValueClasses&);
/// A value for an isosurface: of the denser part where there is one, else of the object.
double fitting_iso(const ValueClasses&);

}  // namespace backlit
