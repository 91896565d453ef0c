// Emission with attenuation and scatter (projectors/emission/emission.hpp) in double precision: the reference.
#pragma once

#include <span>
#include <vector>

#include <backlit/projectors/emission/emission_options.hpp>
#include "projectors/emission/emission.hpp"
#include "projectors/joseph/slice_steps.hpp"
#include "projectors/shared/cpu/cpu_operator.hpp"
#include "projectors/shared/ray.hpp"

namespace backlit {

class CpuEmission final : public CpuCtOperator {
 public:
  /// `attenuation`: one value per voxel, 1/mm.
  CpuEmission(const VolumeGrid&, const Scan&, std::span<const float> attenuation, const EmissionOptions&);
  bool matched() const override { return options_.back == EmissionOptions::Back::matched; }
  std::string variant() const override;

 private:
  /// The point where a pixel's ray meets a plane, and its path to the next plane.
  struct Crossing {
    double point[3];
    double path;         ///< mm to the next plane; 0 behind the source
    double passes;       ///< T, the share of photons that pass
    double variance[2];  ///< variance of the kernel, pixels^2
  };
  struct Physics {
    bool attenuates, scatters;
  };

  void add_forward(const double* volume, double* projections, const SubsetRows&) override;
  void add_back(const double* projections, double* volume, const SubsetRows&) override;

  /// A view on its path through the planes; arrays hold a value per pixel.
  struct March {
    std::size_t view;
    std::vector<Ray<double>> rays;
    std::vector<Crossing> crossings;
    std::vector<double> image, blurred;
  };

  March start(std::int64_t view) const;
  void cross(March&, std::int64_t plane, const Physics&) const;
  void blur_in_front(March&, bool transposed) const;
  void blur(March&, bool transposed) const;
  double sample(const double* volume, const double (&point)[3]) const;

  EmissionOptions options_;
  VoxelBox box_;
  double unit_length_;  ///< path in mm that attenuation is normalised to
  double densest_;
  std::vector<double> attenuation_;  ///< normalised
  std::vector<RayFrame<double>> frames_;
  std::vector<PlaneStack> planes_;
};

}  // namespace backlit
