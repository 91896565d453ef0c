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

/// Some events, ready for work.
struct EventBlock {
  std::unique_ptr<LinearOperator> lines;  ///< events in their order; arrays may be padded to whole rows
  ArrayPtr background;                    ///< expected scatter and randoms, a value a row in units of A x; null: none
};

/// Where the events of a run come from. Blocks are asked for in turn, 0, 1, ..., subsets - 1 and again.
class EventBlocks {
 public:
  virtual ~EventBlocks() = default;
  virtual std::int64_t subsets() const = 0;
  virtual std::int64_t events() const = 0;
  /// Whether blocks are kept for the next iteration: all fit into memory.
  virtual bool keep() const = 0;
  virtual EventBlock make(std::int64_t subset) = 0;
  virtual std::int64_t events_in(std::int64_t subset) const = 0;
  /// Spent so far on getting events, which make() does before anything else.
  virtual double read_seconds() const { return 0; }
};

struct ListModeEmOptions {
  std::int64_t iterations = 3;
  bool likelihood = false;   ///< find the log-likelihood of each iteration (all lines' sums go to the host)
  std::string checkpoint{};  ///< as in IterationOptions
  std::int64_t checkpoint_every = 1;
  std::string resume{};
  bool resume_elsewhere = false;
};

/// For each subset of events: x = x share / s A' (1 / (A x + b)), s the sensitivity and share the part of all events
/// that a subset does not have, inverted: events / events of the subset. 0 where s is 0 or tiny. Starts from the
/// constant that gives the number of events. With one subset the log-likelihood sum_i log(A x + b)_i - sum_j s_j x_j
/// never decreases.
class ListModeEm final : public Reconstruction {
 public:
  /// Converts the image's arrays to voxels for files and display; null where these are the same.
  using Show = std::function<Volume(std::span<const float>)>;

  /// `sensitivity`: expected events per unit of each of the image's values, over the whole acquisition; in the
  /// operators' domain. `facts` must be equal for a run to be resumed. Throws InputError when the sensitivity
  /// has no positive value.
  ListModeEm(Backend&, std::unique_ptr<EventBlocks>, std::span<const float> sensitivity, const VolumeGrid&, Show,
             const ListModeEmOptions&, RunFacts facts);

  Status step() override;
  ReconProgress progress() const override;
  /// Empty: see likelihoods().
  std::span<const double> residuals() const override { return {}; }
  /// Of each iteration, of the images before its updates (with subsets, the events' logarithms come from several
  /// images, the sum of the sensitivity from the first); empty unless asked for.
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
  std::int64_t pieces_done_ = 0;  ///< of the block at work: forward, then back
  double log_sum_ = 0, expected_sum_ = 0;
  std::vector<double> likelihoods_, history_;
  std::string variant_;
  std::string checkpoint_;  ///< that was written or read last; empty: none
  StageSeconds seconds_;
};

}  // namespace backlit
