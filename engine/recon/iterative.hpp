// What all iterative methods share: views in blocks on the device, the loop, residuals. Methods add their arithmetic.
#pragma once

#include <map>
#include <vector>

#include "recon/reconstruction.hpp"
#include "recon/stopwatch.hpp"

namespace backlit {

/// Some views of one subset; working on one is one work item.
struct ViewBlock {
  Subset views;
  std::int64_t subset = 0;  ///< position of its subset in the order of an iteration
  bool opens = false;       ///< first of its subset
  bool closes = false;      ///< last of its subset
  ArrayPtr data;            ///< the measured line integrals
  ArrayPtr extra;           ///< a method's own, of the same shape
};

/// Line integrals stay on the device. The first work items measure how many views take about 20 ms and read the data.
class IterativeReconstruction : public Reconstruction {
 public:
  Status step() final;
  ReconProgress progress() const final;
  std::span<const double> residuals() const final { return residuals_; }
  void publish(DisplayVolume& display) final { display.publish(*volume_, grid_); }
  Volume download() final;
  const StageSeconds& seconds() const final { return seconds_; }
  std::string variant() const final { return operator_->variant(); }

 protected:
  /// `passes`: how often an iteration goes over all views. Throws for voxel_driven, which gives no line integrals.
  IterativeReconstruction(Backend&, std::shared_ptr<ProjectionSource>, const VolumeGrid&, const ReconOptions&,
                          std::int64_t subsets, int passes);

  /// A block's data has arrived.
  virtual void prepare(ViewBlock&) {}
  /// All data has arrived; sets the first volume (zero unless changed).
  virtual void begin() {}
  /// Pass `pass` of an iteration reaches this block.
  virtual void visit(int pass, ViewBlock&) = 0;

  void project(const DeviceArray& x, DeviceArray& y, const Subset&);      ///< overwrites y, timed
  void backproject(const DeviceArray& y, DeviceArray& x, const Subset&);  ///< adds to x, timed
  /// Something of the block's shape to work in; shared by all blocks of that shape.
  DeviceArray& scratch(const ViewBlock&);
  /// A' 1 over the subset; kept where that costs little memory, else computed again.
  const DeviceArray& column_sums(std::int64_t subset);
  /// Adds to the squared norm of b - A x that becomes this iteration's residual.
  void add_residual(double square) { residual_square_ += square; }

  std::int64_t subsets() const { return static_cast<std::int64_t>(order_.size()); }

  Backend& backend_;
  VolumeGrid grid_;
  ReconOptions options_;
  std::unique_ptr<LinearOperator> operator_;
  std::vector<ViewBlock> blocks_;
  ArrayPtr volume_;         ///< x
  double data_square_ = 0;  ///< |b|^2
  double data_sum_ = 0;

 private:
  void plan();
  void load(ViewBlock&);
  bool end_iteration();

  std::shared_ptr<ProjectionSource> source_;
  std::vector<std::int64_t> order_;  ///< subsets as an iteration takes them
  int passes_;
  std::size_t loaded_ = 0, next_ = 0;
  int pass_ = 0;
  std::int64_t views_done_ = 0;
  ArrayPtr finished_;  ///< x of the last finished iteration, where x changes within one
  std::map<std::int64_t, ArrayPtr> scratch_;
  std::vector<ArrayPtr> column_sums_;
  std::int64_t column_sums_of_ = -1;  ///< the subset whose sums the only array holds
  double residual_square_ = 0;
  std::vector<double> residuals_;
  StageSeconds seconds_;
};

}  // namespace backlit
