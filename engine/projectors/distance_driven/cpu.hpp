// The classic distance-driven pair, loop over loop, in double: the reference for all others.
#pragma once

#include "projectors/shared/cpu/cpu_operator.hpp"

namespace backlit {

/// Walks along the edges of footprints and voxels together (projectors/distance_driven/distance_driven.hpp); back() is
/// the exact transpose. Both work on a copy of the volume with z fastest. Throws Unsupported, naming the view, where
/// make_distance_driven() does.
class CpuDistanceDriven final : public CpuCtOperator {
 public:
  CpuDistanceDriven(const VolumeGrid&, const Scan&);
  std::string variant() const override { return "distance_driven double"; }

 private:
  void add_forward(const double* volume, double* projections, const SubsetRows&) override;
  void add_back(const double* projections, double* volume, const SubsetRows&) override;

  const std::vector<View> geometry_;
};

}  // namespace backlit
