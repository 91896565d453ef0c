// MLEM and OSEM: Shepp and Vardi, IEEE Trans. Med. Imaging 1 (1982) 113; Hudson and Larkin, IEEE Trans. Med. Imaging
// 13 (1994) 601. Negative data counts as zero.
#pragma once

#include "recon/iterative/iterative.hpp"

namespace backlit {

/// For each subset s: x = x / (A_s' 1) A_s' (b_s / A_s x), from a constant volume that gives the data's sum, or
/// from an initial one, raised to 1/1000 of that constant where it is lower. Voxels that a subset does not see keep
/// their value. A residual is that before the subset's update.
class ExpectationMaximization final : public IterativeReconstruction {
 public:
  ExpectationMaximization(const ReconInput&, const BackModelOptions&, const SubsetOptions&);

 private:
  void prepare(ViewBlock&) override;
  void begin() override;
  void visit(int pass, ViewBlock&) override;
  void update(std::int64_t subset);

  ArrayPtr factor_;
  float least_ = 0;  ///< line integrals below this are rays that see nothing
};

}  // namespace backlit
