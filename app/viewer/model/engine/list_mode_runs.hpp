// Reconstructions of an open list of PET events.
#pragma once

#include <memory>
#include <string>

#include <backlit/data/list_mode.hpp>
#include <backlit/pet/reconstruction.hpp>
#include "model/sources/source.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

/// List-mode OSEM to watch: what a run takes, in one place.
class ListModeRun final : public Reconstruction {
 public:
  /// Finds the sensitivity unless `known` is not null. All but `known` must outlive this.
  ListModeRun(Backend&, std::shared_ptr<const ListSource>, const VolumeGrid&, const PetOptions&,
              std::shared_ptr<const Volume> attenuation, const Sensitivity* known, const Watch&);

  Status step() override { return em_->step(); }
  ReconProgress progress() const override { return em_->progress(); }
  std::span<const double> residuals() const override { return {}; }
  /// Of each iteration; empty unless asked for.
  std::span<const double> likelihoods() const { return em_->likelihoods(); }
  /// Subsets that the image has been corrected by so far.
  std::int64_t updates() const { return em_->updates(); }
  void publish(DisplayVolume& display) override { em_->publish(display); }
  Volume download() override { return em_->download(); }
  const StageSeconds& seconds() const override { return em_->seconds(); }
  std::string variant() const override { return em_->variant(); }
  const Sensitivity& sensitivity() { return problem_.sensitivity(); }

 private:
  std::shared_ptr<const ListSource> list_;
  PetProblem problem_;
  std::unique_ptr<ListModeEm> em_;
};

/// Makes runs of one list, and keeps what the next run can use again: the sensitivity, the attenuation.
class ListModeRuns {
 public:
  /// Throws InputError, and Cancelled.
  std::unique_ptr<ListModeRun> make(Backend&, const std::shared_ptr<const ListSource>&, const VolumeGrid&,
                                    const PetState&, const Watch&);
  void forget() { *this = {}; }

 private:
  std::string attenuation_of_, sensitivity_of_;  ///< what the two below stand for
  std::shared_ptr<const Volume> attenuation_;
  std::shared_ptr<const Sensitivity> sensitivity_;
};

}  // namespace backlit::viewer
