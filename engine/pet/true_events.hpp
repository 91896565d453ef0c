// The true coincidences of a phantom in a ring scanner, decay by decay.
#pragma once

#include <vector>

#include <backlit/data/scanner.hpp>
#include <backlit/pet/simulate.hpp>
#include "pet/emission_sampler.hpp"
#include "pet/pairs.hpp"

namespace backlit {

struct TrueEvent {
  std::uint64_t decay = 0;  ///< its number
  std::uint32_t crystal1 = 0, crystal2 = 0;
  float dt_ps = 0;  ///< t1 - t2
};

class TrueEvents {
 public:
  /// The references must outlive this object. `tof_fwhm_ps` 0: dt is exact.
  TrueEvents(const Scanner&, const CrystalPairs&, const Phantom& activity, const Phantom* attenuation,
             const ListModeSimulation&, double tof_fwhm_ps);

  /// Simulates decays [first, first + count). Appends the counted ones to `out`, in order.
  void simulate(std::uint64_t first, std::uint64_t count, std::vector<TrueEvent>& out) const;

  /// The share of all directions that is simulated. Photons in steeper directions cannot be counted.
  double simulated_share() const { return steepest_; }
  /// Activity (value times mm^3) from which the decays are drawn.
  double total_activity() const { return sampler_.total(); }

 private:
  bool count(std::uint64_t decay, TrueEvent& event) const;
  /// Whether both photons leave through the scanner's inner circle, not its ends; cheap, and false for most decays.
  bool may_hit(const Vec3& place, const Vec3& direction) const;
  RingLayout::Hit detect(CounterRandom&, const Vec3& origin, const Vec3& direction) const;
  Vec3 opposite(CounterRandom&, const Vec3& direction) const;

  const Scanner& scanner_;
  const CrystalPairs& pairs_;
  const Phantom* attenuation_;
  const ListModeSimulation& options_;
  EmissionSampler sampler_;
  double tof_sigma_ps_ = 0;
  double inner_radius_ = 0, half_length_ = 0;
  double steepest_ = 1;  ///< largest |cosine| to the axis
  bool depth_ = false;
};

}  // namespace backlit
