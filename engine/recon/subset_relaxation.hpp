// SIRT, SART and OS-SART: one method whose subsets hold all views, one view, or something between.
// Andersen and Kak, Ultrasonic Imaging 6 (1984) 81; Gregor and Benson, IEEE Trans. Med. Imaging 27 (2008) 918;
// Wang and Jiang, J. X-Ray Sci. Technol. 12 (2004) 169.
#pragma once

#include "recon/iterative/iterative.hpp"

namespace backlit {

/// For each subset s: x += relaxation C_s A_s' R_s (b_s - A_s x), R_s and C_s the reciprocal row and column sums of
/// A_s over the mask; rays and voxels without a sum count nothing. A residual is that before the subset's update, so
/// the first is 1 unless there is an initial volume.
///
/// A step of C A' R is one of a separable quadratic surrogate of |b - A x|^2 in the weights R: statistical weights W
/// take R's place with C = 1 / (A' W A 1), and a penalty adds its gradient to the change and its curvature to 1 / C.
class SubsetRelaxation : public IterativeReconstruction {
 public:
  SubsetRelaxation(const ReconInput&, const IterationOptions&, const SubsetOptions&, const RelaxationOptions&);

 protected:
  void visit(int pass, ViewBlock&) override;

  ArrayPtr change_;  ///< of x; free for other uses between subsets
  RelaxationOptions relaxation_;

 private:
  void prepare(ViewBlock&) override;
  bool relax(const DeviceArray& residual, const ViewBlock&);
  void update(std::int64_t subset);
  float least() const;  ///< that a voxel may be

  ArrayPtr ones_;  ///< 1 inside the mask
};

}  // namespace backlit
