// ASD-POCS: ordered subsets of SART for the data, steepest descent for total variation.
#pragma once

#include <backlit/recon/methods/asdpocs.hpp>
#include "recon/subset_relaxation.hpp"
#include "recon/total_variation.hpp"

namespace backlit {

/// Little total variation where |b - A x| is no more than the noise's. An iteration is one of OS-SART, kept within the
/// box, and `tv_steps` steps down TV's gradient of a length that is at first `tv_length` of what OS-SART changed. Where
/// TV undoes more than `tv_most` of that change and the data are not explained yet, its steps become shorter.
class AsdPocs final : public SubsetRelaxation {
 public:
  AsdPocs(const ReconInput&, const AsdPocsOptions&);
  std::vector<std::pair<std::string, double>> chosen() const override;

 private:
  void begin() override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void keep_in_box();
  void smooth();
  double distance(const DeviceArray& from);

  AsdPocsOptions asd_;
  std::shared_ptr<ProjectionSource> views_;
  NeighbourPenalty variation_;
  NeighbourOperations& neighbours_;
  ArrayPtr before_, descent_;
  double noise_ = 0, tolerance_ = 0;  ///< of a line integral; of |b - A x|
  double length_ = 0;                 ///< of a step of TV, 1/mm; 0 before the first iteration
};

}  // namespace backlit
