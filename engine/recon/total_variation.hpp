// Parts of methods with total variation: the dual field, the proximal step, the weight that suits the noise.
#pragma once

#include <backlit/device/neighbour_penalty.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/checkpoint.hpp>
#include <backlit/recon/total_variation_options.hpp>

namespace backlit {

/// Throws Unsupported where the backend has no operations on neighbours.
NeighbourOperations& neighbours_of(Backend&);

/// The dual field z of TV, initially 0, and steps with it.
class DualField {
 public:
  /// `descends`: descend() will be called.
  DualField(Backend&, LinearOperator&, const VolumeGrid&, const BoxOptions&, bool descends);

  void set_box(const BoxOptions&);
  /// z = z + step Dx, shortened to `radius`.
  void ascend(const DeviceArray& x, float step, float radius);
  /// x = x - weights (gradient + 2 D'z - D'z of the previous step), clamped to the box.
  void descend(DeviceArray& x, const DeviceArray& weights, const DeviceArray& gradient);
  /// x = the volume in the box and the mask (may be null) that minimises 1/2 |x - v|^2 + radius TV(x). Uses gradient
  /// projection on the dual, starting from the present z (Beck and Teboulle, IEEE Trans. Image Process. 18 (2009)
  /// 2419). It is exact for many steps. A few steps suffice when the z of one call is a good start for the next.
  void denoise(const DeviceArray& v, DeviceArray& x, float radius, std::int64_t steps, const DeviceArray* mask);

  void remember(RunState&);

 private:
  Field field() const { return {z_[0].get(), z_[1].get(), z_[2].get()}; }

  Backend& backend_;
  NeighbourOperations& neighbours_;
  Differences differences_;
  float low_, high_;
  ArrayPtr z_[3];
  ArrayPtr before_;  ///< D'z of the previous step; null without descend()
};

/// The noise that a method uses, and the penalty's weight that suits it.
struct NoiseChoice {
  double noise = 0;   ///< standard deviation of a line integral, as given or estimated
  double lambda = 0;  ///< mm

  // Found when first needed, and kept for other options of the same run.
  double estimated_noise = 0, column_length = 0;
};

/// lambda = strength 2 noise sqrt(mean over voxels of sum_i a_ij^2). Except the factor 2 strength, this is the standard
/// deviation of A' noise in a voxel, which the dual must balance. It is computed from A' of random signs. The factor 2
/// gave the smallest error for the FORBILD head from 60, 120 and 360 views (docs/methods/tv.md).
/// `before`: the run's last choice.
NoiseChoice choose_lambda(const TotalVariationOptions&, double noise, Backend&, LinearOperator&, ProjectionSource&,
                          NoiseChoice before = {});

/// `noise` if it is above 0, else noise_level() of the source.
double known_noise(double noise, ProjectionSource&);

}  // namespace backlit
