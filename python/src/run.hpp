// A reconstruction that Python runs step by step.
#pragma once

#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "bindings.hpp"

namespace backlit::python {

class Run {
 public:
  /// `kept` owns the reconstruction, its backend and all other objects that they refer to.
  Run(const VolumeGrid& grid, std::shared_ptr<void> kept, Backend& backend, Reconstruction& reconstruction,
      std::vector<std::string> advice = {})
      : grid_(grid),
        kept_(std::move(kept)),
        backend_(&backend),
        reconstruction_(&reconstruction),
        advice_(std::move(advice)) {}

  /// Runs one work item. Returns "more", "iteration" (one has ended) or "finished".
  std::string step();
  nb::ndarray<nb::numpy, float> volume();
  /// stage, done, total, unit, iteration
  nb::tuple progress() const;
  std::vector<double> residuals() const;
  /// Log-likelihoods of list-mode EM, if they were requested.
  std::vector<double> likelihoods() const;
  const VolumeGrid& grid() const { return grid_; }
  /// Advice on the method with this scan, one sentence each.
  const std::vector<std::string>& advice() const { return advice_; }
  std::string stopped_by() const { return reconstruction_->stopped_by(); }
  std::string variant() const { return reconstruction_->variant(); }
  std::string device() const { return backend_->name() + ", " + backend_->device(); }
  std::map<std::string, double> seconds() const { return reconstruction_->seconds(); }

 private:
  VolumeGrid grid_;
  std::shared_ptr<void> kept_;
  Backend* backend_;
  Reconstruction* reconstruction_;
  std::vector<std::string> advice_;
};

}  // namespace backlit::python
