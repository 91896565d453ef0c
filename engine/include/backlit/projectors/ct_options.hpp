// What a CT operator is asked for. Three independent choices, plus what FDK needs.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/core/parameter.hpp>
#include <backlit/projectors/model.hpp>

namespace backlit {

enum class Precision {
  exact,  ///< fp32, interpolation in software
  fast,   ///< fp32, hardware filtering (8-bit weights)
  half    ///< fp16 storage, fp32 sums
};
enum class Packing { automatic, none, slices, orbit };

/// `fdk` multiplies a point's backprojected value by (R / depth)^2; such an operator has no forward().
enum class Weighting { none, fdk };

struct CtOptions {
  Model model = Model::voxel_driven;
  Precision precision = Precision::fast;
  Packing packing = Packing::automatic;
  Weighting weighting = Weighting::none;
  std::string variant{};  ///< a backend's own name for a variant; empty lets it choose
  double step = 0.5;      ///< raycast: mm between samples, as a share of the smallest voxel spacing
};

const char* name(Precision);
const char* name(Packing);
Precision precision_from(const std::string& name);  ///< throws InputError listing the names
Packing packing_from(const std::string& name);      ///< likewise; "auto" is automatic

}  // namespace backlit
