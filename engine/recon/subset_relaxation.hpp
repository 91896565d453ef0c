// SIRT, SART and OS-SART: one method whose subsets hold all views, one view, or some views. Andersen and Kak,
// Ultrasonic Imaging 6 (1984) 81; Gregor and Benson, IEEE Trans. Med. Imaging 27 (2008) 918; Wang and Jiang, J. X-Ray
// Sci. Technol. 12 (2004) 169.
#pragma once

#include "recon/iterative/iterative.hpp"

namespace backlit {

/// For each subset s: x += relaxation C_s A_s' R_s (b_s - A_s x). R_s and C_s are the reciprocal row and column sums of
/// A_s over the mask; for a sum of 0, or a row sum below 0.1 % of the largest, they are 0. A residual is that before
/// the subset's update, so the first is 1 unless there is an initial volume.
///
/// A step of C A' R minimises a separable quadratic surrogate of |b - A x|^2 with the weights R. Statistical weights W
/// would replace R with C = 1 / (A' W A 1). A penalty would add its gradient to the change and its curvature to 1 / C.
class SubsetRelaxation : public IterativeReconstruction {
 public:
  SubsetRelaxation(const ReconInput&, const IterationOptions&, const SubsetOptions&, const RelaxationOptions&);

 protected:
  void visit(int pass, ViewBlock&) override;
  void begin() override;
  void take(const MethodOptions&) override;

  ArrayPtr change_;  ///< change of x; free for other uses between subsets
  RelaxationOptions relaxation_;

 private:
  void prepare(ViewBlock&) override;
  bool relax(const DeviceArray& residual, const ViewBlock&);
  void update(std::int64_t subset);
  float least() const;  ///< smallest allowed value of a voxel

  ArrayPtr ones_;      ///< 1 inside the mask
  float longest_ = 0;  ///< the largest row sum
};

}  // namespace backlit
