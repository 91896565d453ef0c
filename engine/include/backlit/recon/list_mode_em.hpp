// List-mode MLEM and OSEM: Barrett, White, Parra, J. Opt. Soc. Am. A 14 (1997) 2914; Reader, Ally, Bakatselos,
// Manavaki, Walledge, Jeavons, Julyan, Zhao, Hastings, Zweit, IEEE Trans. Nucl. Sci. 49 (2002) 693 (time-ordered
// subsets).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/checkpoint.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/stopwatch.hpp>

namespace backlit {

/// The operator and the background of some events.
struct EventBlock {
  std::unique_ptr<LinearOperator> lines;  ///< one row an event, in their order; arrays may be padded to whole rows
  ArrayPtr background;                    ///< expected scatter and randoms, one value a row, as A x; null: none
};

/// Source of the events of a run. Blocks are requested in the order 0, 1, ..., subsets - 1, again and again.
class EventBlocks {
 public:
  virtual ~EventBlocks() = default;
  virtual std::int64_t subsets() const = 0;
  virtual std::int64_t events() const = 0;
  /// Whether all blocks fit into memory, so that they are kept for the next iteration.
  virtual bool keep() const = 0;
  virtual EventBlock make(std::int64_t subset) = 0;
  virtual std::int64_t events_in(std::int64_t subset) const = 0;
  /// Seconds that make() has spent so far on reading events.
  virtual double read_seconds() const { return 0; }
};

struct ListModeEmOptions {
  std::int64_t iterations = 3;
  bool likelihood = false;   ///< compute the log-likelihood of each iteration (downloads A x + b of all events)
  std::string checkpoint{};  ///< as in IterationOptions
  std::int64_t checkpoint_every = 1;
  std::string resume{};
  bool resume_elsewhere = false;
};

/// For each subset of events: x = x share / s A' (1 / (A x + b)), with s the sensitivity and share = all events /
/// events of the subset. x becomes 0 where s is 0 or tiny. Starts from the constant image that gives the number of
/// events. With one subset the log-likelihood sum_i log(A x + b)_i - sum_j s_j x_j never decreases.
class ListModeEm final : public Reconstruction {
 public:
  /// Converts the image's values to voxels for files and display; null where the values are voxels.
  using Show = std::function<Volume(std::span<const float>)>;

  /// `sensitivity`: expected events per unit of each image value over the whole acquisition, in the operators' domain.
  /// `facts` must be equal in a run that resumes another. Throws InputError when the sensitivity has no positive value.
  ListModeEm(Backend&, std::unique_ptr<EventBlocks>, std::span<const float> sensitivity, const VolumeGrid&, Show,
             const ListModeEmOptions&, RunFacts facts);

  Status step() override;
  ReconProgress progress() const override;
  /// Empty: see likelihoods().
  std::span<const double> residuals() const override { return {}; }
  /// Log-likelihood of each iteration, for the image before its update; empty unless asked for. With subsets the
  /// events' logarithms come from several images, the sum over the sensitivity from the first.
  std::span<const double> likelihoods() const { return likelihoods_; }
  std::int64_t iterations() const { return iterations_; }
  /// Updates of the image so far.
  std::int64_t updates() const { return iterations_ * source_->subsets() + next_; }
  void publish(DisplayVolume&) override;
  Volume download() override;
  const StageSeconds& seconds() const override { return seconds_; }
  std::string variant() const override { return variant_; }
  std::string checkpoint() const override { return checkpoint_; }

 private:
  void start(EventBlock& first);
  EventBlock& block(std::int64_t subset);
  bool work(EventBlock&);
  void update();
  double log_sum(const DeviceArray& expected);
  Status end_iteration();
  Volume voxels(std::vector<float> values) const;
  RunState state();

  Backend& backend_;
  std::unique_ptr<EventBlocks> source_;
  std::vector<float> sensitivity_;
  VolumeGrid grid_;
  Show show_;
  ListModeEmOptions options_;
  RunFacts facts_;
  std::vector<EventBlock> blocks_;
  ArrayPtr volume_, finished_, factor_;
  ArrayPtr inverse_;  ///< 1 / sensitivity
  ArrayPtr sums_;     ///< the sensitivity itself, for the likelihood
  ArrayPtr shown_;
  std::map<std::int64_t, std::pair<ArrayPtr, ArrayPtr>> scratch_;  ///< by events in a block
  std::int64_t next_ = 0, iterations_ = 0, events_done_ = 0;
  std::int64_t pieces_done_ = 0;  ///< pieces done of the present block: first forward, then back
  double log_sum_ = 0, expected_sum_ = 0;
  std::vector<double> likelihoods_, history_;
  std::string variant_;
  std::string checkpoint_;  ///< that was written or read last; empty: none
  StageSeconds seconds_;
};

}  // namespace backlit
