// The common part of all iterative methods: views in blocks on the device, the loop, residuals, stopping, checkpoints.
// Methods add their arithmetic.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <backlit/recon/checkpoint.hpp>
#include <backlit/recon/method_options.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>
#include "device/fused.hpp"
#include "recon/batch_size.hpp"
#include "recon/subset_plan.hpp"

namespace backlit {

/// Some views of one subset that are processed together.
struct ViewBlock {
  Subset views;
  std::int64_t subset = 0;  ///< position of its subset in the order of an iteration
  bool opens = false;       ///< first of its subset
  bool closes = false;      ///< last of its subset
  ArrayPtr data;            ///< the measured line integrals
  ArrayPtr extra;           ///< a method's own array of the same shape
};

/// A' 1 over a subset. Voxels with a sum of at most `floor` count as not seen.
struct ColumnSums {
  const DeviceArray& values;
  float floor;
};

/// Rays and voxels whose sum is below this share of the largest are ignored.
inline constexpr float grazing = 1e-6f;

/// Line integrals stay on the device. The first work items find the number of views that takes about 20 ms, and read
/// the data. If blocks take much less, a work item is several blocks, without waiting for the device between them.
class IterativeReconstruction : public Reconstruction {
 public:
  ~IterativeReconstruction() override;
  Status step() final;
  ReconProgress progress() const final;
  std::span<const double> residuals() const final { return residuals_; }
  std::string stopped_by() const final { return stopped_by_; }
  bool steer(const Method&) final;
  void publish(DisplayVolume& display) final;
  Volume download() final;
  const DeviceArray* unfinished_volume() final { return finished_ ? finished_.get() : volume_.get(); }
  const StageSeconds& seconds() const final { return seconds_; }
  std::string variant() const final { return operator_->variant(); }
  std::string checkpoint() const final { return checkpoint_; }

 protected:
  /// `passes`: passes over all views in an iteration. `nonnegative`: constrain() also sets negative values to 0. Throws
  /// for voxel_driven, which gives no line integrals.
  IterativeReconstruction(const ReconInput&, const IterationOptions&, const SubsetOptions&, int passes,
                          bool nonnegative = false);

  /// Called when a block's data has been loaded.
  virtual void prepare(ViewBlock&) {}
  /// Called when all data has been loaded and x is the initial volume (zero by default).
  virtual void begin() {}
  /// Processes this block in pass `pass` of an iteration.
  virtual void visit(int pass, ViewBlock&) = 0;
  /// Takes the method's own parameters that steer. Called between iterations; x and the data stay.
  virtual void take(const MethodOptions&) {}
  /// Adds the method's state besides x that the next iteration needs; called after begin().
  virtual void remember(RunState&) {}

  void project(const DeviceArray& x, DeviceArray& y, const Subset&);  ///< overwrites y, timed
  void backproject(const DeviceArray& y, DeviceArray& x, const Subset&,
                   Write = Write::accumulate);  ///< timed
  /// LinearOperator::relax(), timed.
  bool relax_at_once(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& views);
  /// A work array of the block's shape; shared by all blocks of that shape.
  DeviceArray& scratch(const ViewBlock&);
  /// Column sums of a subset. They are kept if memory suffices, else computed again.
  ColumnSums column_sums(std::int64_t subset);
  /// The backprojection of a subset's first block overwrites, those of the others accumulate.
  static Write first_overwrites(const ViewBlock& block) { return block.opens ? Write::overwrite : Write::accumulate; }
  /// r = w (b - r); |b - r|^2 is added to this iteration's residual.
  void weigh_residual(const DeviceArray& b, const DeviceArray& w, DeviceArray& r) {
    backlit::weigh_residual(backend_, b, w, r, *residual_square_);
  }
  /// Adds |r|^2 to the squared norm of b - A x that becomes this iteration's residual.
  void add_residual(const DeviceArray& r) { backend_.add_square(r, *residual_square_); }
  /// Sets values outside the mask to 0.
  void apply_mask(DeviceArray& x) {
    if (mask_) backend_.multiply(*mask_, x);
  }
  /// Applies the mask, and sets negative values to 0 if the method does not allow them.
  void constrain(DeviceArray& x);
  /// For methods whose x changes within an iteration: download() then gives the x of the last finished iteration.
  void keep_finished() {
    if (!finished_) finished_ = operator_->make_domain();
  }
  bool has_initial() const { return !options_.initial.empty(); }
  std::int64_t subsets() const { return static_cast<std::int64_t>(order_.size()); }

  Backend& backend_;
  VolumeGrid grid_;
  IterationOptions options_;
  std::unique_ptr<LinearOperator> operator_;
  std::vector<ViewBlock> blocks_;
  ArrayPtr volume_;         ///< x
  ArrayPtr mask_;           ///< 1 inside, 0 outside; null without a mask
  double data_square_ = 0;  ///< |b|^2
  double data_sum_ = 0;

 private:
  bool keeps_column_sums() const;
  void prepare_start();
  void step_initial();
  void plan();
  double measure(std::int64_t views, DeviceArray& image, int runs);
  CallSeconds measure();
  std::int64_t views_per_block() const;
  std::span<float> room(std::int64_t values);
  void read(const Subset& views, std::int64_t first, std::span<float> to);
  void load(ViewBlock&);
  void start_iterations();
  Status visit_next();
  void take_steered();
  Status end_iteration();
  void look_for_end();
  void save_if_due();
  RunFacts facts() const;
  RunState state();
  std::int64_t iterations_done() const { return static_cast<std::int64_t>(residuals_.size()); }

  SubsetPlan subset_plan_;
  std::shared_ptr<ProjectionSource> source_;  ///< in the plan's order
  std::string method_;
  bool nonnegative_;
  RunFacts own_options_;                     ///< options of the method alone, by name
  RunFacts fixed_;                           ///< parameters that do not steer
  std::optional<Method> steered_;            ///< whose parameters the next iteration takes
  std::int64_t steered_after_ = 0;           ///< iterations before it was steered last
  std::unique_ptr<Reconstruction> initial_;  ///< makes the initial volume; null when that exists
  std::optional<Checkpoint> resumed_;
  std::string checkpoint_;           ///< the checkpoint written last, or read
  std::vector<std::int64_t> order_;  ///< subsets in the order of an iteration
  int passes_;
  std::int64_t block_views_ = 0;     ///< views in the largest blocks
  CallSeconds call_;                 ///< measured
  bool waits_ = true;                ///< wait for the device after each block, which takes long enough
  std::shared_ptr<std::byte> room_;  ///< for views on their way to the device
  std::int64_t room_values_ = 0;
  std::size_t loaded_ = 0, next_ = 0;
  int pass_ = 0;
  std::int64_t views_done_ = 0;
  ArrayPtr finished_;  ///< x of the last finished iteration, where x changes within one
  std::map<std::int64_t, ArrayPtr> scratch_;
  std::vector<ArrayPtr> column_sums_;
  std::int64_t column_sums_of_ = -1;      ///< the subset whose sums the only array holds
  std::map<std::int64_t, float> floors_;  ///< of column sums, by subset
  ArrayPtr residual_square_;              ///< one value
  std::vector<double> residuals_;
  std::string stopped_by_;
  bool ended_ = false;
  StageSeconds seconds_;
};

}  // namespace backlit
