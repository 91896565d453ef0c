// Primal-dual hybrid gradients with total variation.
#pragma once

#include <backlit/recon/methods/pdhg.hpp>
#include "recon/iterative/iterative.hpp"
#include "recon/total_variation.hpp"

namespace backlit {

/// Minimises 1/2 |b - A x|^2 + lambda TV(x), or TV(x) subject to |b - A x| <= noise sqrt(rays), over box and mask. For
/// each of M subsets, with g = A'y:
///
///   x = x - T (g + M (change of g) + 2 D'z - D'z before), kept within box and mask
///   y_s = y_s + W (A_s x - b_s - y_s), or, constrained, y + S (A x - b) shortened by S |noise| sqrt(rays)
///   z = z + S_z Dx, shortened to lambda
///
/// Steps are those of Pock and Chambolle's first lemma, from row and column sums of A and D: S = balance times the
/// largest row sum / row sum, W = S / (1 + S), T the reciprocal. Each iteration takes the subsets in a new random
/// order, as the theory requires. One subset gives PDHG itself.
class PrimalDual final : public IterativeReconstruction {
 public:
  PrimalDual(const ReconInput&, const PdhgOptions&);
  std::vector<std::pair<std::string, double>> chosen() const override;

 private:
  bool constrained() const { return pdhg_.form == PdhgOptions::Form::constrained; }
  void prepare(ViewBlock&) override;
  void begin() override;
  void take(const MethodOptions&) override;
  void visit(int pass, ViewBlock&) override;
  void remember(RunState&) override;
  void choose_weight();
  void open();
  void raise(ViewBlock&);  ///< updates y by the residual
  void close();
  void reorder();
  std::vector<ViewBlock*> sorted_blocks();

  PdhgOptions pdhg_;
  std::shared_ptr<ProjectionSource> views_;
  DualField dual_;
  ArrayPtr gradient_;                        ///< g
  ArrayPtr change_;                          ///< g and its change, for x's next step
  ArrayPtr steps_;                           ///< T
  std::map<std::int64_t, ArrayPtr> shares_;  ///< W, by a block's first view; empty for the constrained form
  NoiseChoice choice_;
  float most_row_ = 0;      ///< the largest row sum, mm
  float field_step_ = 0;    ///< S_z
  double dual_square_ = 0;  ///< |y|^2 before y is shortened
};

}  // namespace backlit
