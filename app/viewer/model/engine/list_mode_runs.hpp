// Reconstructions of an open list of PET events.
#pragma once

#include <memory>
#include <string>

#include <backlit/data/list_mode.hpp>
#include <backlit/pet/reconstruction.hpp>
#include "model/sources/source.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

/// Interactive list-mode OSEM: owns all objects of a run.
class ListModeRun final : public Reconstruction {
 public:
  /// Computes the sensitivity unless `known` is given. All other arguments must outlive this object.
  ListModeRun(Backend&, std::shared_ptr<const ListSource>, const VolumeGrid&, const PetOptions&,
              std::shared_ptr<const Volume> attenuation, const Sensitivity* known, const Watch&);

  Status step() override { return em_->step(); }
  ReconProgress progress() const override { return em_->progress(); }
  std::span<const double> residuals() const override { return {}; }
  /// One value for each iteration; empty unless requested.
  std::span<const double> likelihoods() const { return em_->likelihoods(); }
  /// Number of subsets that have corrected the image.
  std::int64_t updates() const { return em_->updates(); }
  void publish(DisplayVolume& display) override { em_->publish(display); }
  Volume download() override { return em_->download(); }
  std::string checkpoint() const override { return em_->checkpoint(); }
  const StageSeconds& seconds() const override { return em_->seconds(); }
  std::string variant() const override { return em_->variant(); }
  const Sensitivity& sensitivity() { return problem_.sensitivity(); }

 private:
  std::shared_ptr<const ListSource> list_;
  PetProblem problem_;
  std::unique_ptr<ListModeEm> em_;
};

/// Makes runs of one list, and keeps the sensitivity and the attenuation for the next run.
class ListModeRuns {
 public:
  /// Throws InputError, and Cancelled.
  std::unique_ptr<ListModeRun> make(Backend&, const std::shared_ptr<const ListSource>&, const VolumeGrid&,
                                    const PetState&, const Watch&);
  /// A coarse image from the list's first events and a rough sensitivity, in a moment. Throws as make() does.
  static Volume preview(Backend&, const ListSource&, const VolumeGrid&, const PetState&, const Watch&);
  void forget() { *this = {}; }

 private:
  std::string attenuation_of_, sensitivity_of_;  ///< settings of the two members below
  std::shared_ptr<const Volume> attenuation_;
  std::shared_ptr<const Sensitivity> sensitivity_;
};

}  // namespace backlit::viewer
