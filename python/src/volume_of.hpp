// Volumes of the engine as NumPy arrays and back, without copies.
#pragma once

#include <backlit/data/volume.hpp>
#include "bindings.hpp"

namespace backlit::python {

/// Throws InputError naming `what` unless the values have the grid's shape (z, y, x).
Volume volume_of(const VolumeGrid&, const FloatArray& values, const char* what);
nb::ndarray<nb::numpy, float> values_of(Volume);

}  // namespace backlit::python
