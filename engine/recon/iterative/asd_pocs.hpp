// ASD-POCS: ordered subsets of SART for the data, steepest descent for total variation.
#pragma once

#include <backlit/recon/methods/asdpocs.hpp>
#include "recon/subset_relaxation.hpp"
#include "recon/total_variation.hpp"

namespace backlit {

/// Reduces total variation while |b - A x| stays at the level of the noise. An iteration is one iteration of OS-SART
/// within the box, then `tv_steps` steps down the gradient of TV. The first length of these steps is `tv_length` times
/// OS-SART's change. The steps become shorter when TV changes x by more than `tv_most` of OS-SART's change and the
/// residual is still above the noise.
class AsdPocs final : public SubsetRelaxation {
 public:
  AsdPocs(const ReconInput&, const AsdPocsOptions&);
  std::vector<std::pair<std::string, double>> chosen() const override;

 private:
  void begin() override;
  void take(const MethodOptions&) override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void keep_in_box();
  void smooth();
  void look_at_noise();
  double distance(const DeviceArray& from);

  AsdPocsOptions asd_;
  std::shared_ptr<ProjectionSource> views_;
  NeighbourPenalty variation_;
  NeighbourOperations& neighbours_;
  ArrayPtr before_, descent_;
  double estimated_noise_ = 0;        ///< 0 before it is needed
  double noise_ = 0, tolerance_ = 0;  ///< of a line integral; limit on |b - A x|
  double length_ = 0;                 ///< of a step of TV, 1/mm; 0 before the first iteration
};

}  // namespace backlit
