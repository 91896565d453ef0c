// MLEM and OSEM: Shepp and Vardi, IEEE Trans. Med. Imaging 1 (1982) 113; Hudson and Larkin, IEEE Trans. Med. Imaging
// 13 (1994) 601. Negative data counts as zero.
#pragma once

#include "recon/iterative/iterative.hpp"

namespace backlit {

/// For each subset s: x = x / (A_s' 1) A_s' (b_s / A_s x). Starts from a constant volume whose projection has the
/// data's sum, or from an initial volume. Initial values below 1/1000 of that constant are raised to it. Voxels that a
/// subset does not see keep their value. A residual is that before the subset's update.
class ExpectationMaximization final : public IterativeReconstruction {
 public:
  ExpectationMaximization(const ReconInput&, const BackModelOptions&, const SubsetOptions&);

 private:
  void prepare(ViewBlock&) override;
  void begin() override;
  void visit(int pass, ViewBlock&) override;
  void update(std::int64_t subset);

  ArrayPtr factor_;
  float least_ = 0;  ///< rays with smaller line integrals count as empty
};

}  // namespace backlit
