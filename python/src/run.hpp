// A reconstruction that Python runs step by step.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include <backlit/device/backend.hpp>
#include <backlit/recon/method.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "bindings.hpp"
#include "parameters.hpp"

namespace backlit::python {

class Run {
 public:
  /// `kept` owns the reconstruction, its backend and all other objects that they refer to. `method`: for steer().
  Run(const VolumeGrid& grid, std::shared_ptr<void> kept, Backend& backend, Reconstruction& reconstruction,
      std::vector<std::string> advice = {}, std::optional<Method> method = {})
      : grid_(grid),
        kept_(std::move(kept)),
        backend_(&backend),
        reconstruction_(&reconstruction),
        advice_(std::move(advice)),
        method_(std::move(method)) {}

  /// Runs one work item. Returns "more", "iteration" (one has ended) or "finished".
  std::string step();
  /// Reconstruction::steer() with these values in place of the present ones. Throws InputError for parameters that do
  /// not act between iterations, Unsupported where the run cannot be steered.
  void steer(const Options& changes);
  /// Names of those that do; empty where it cannot be steered.
  std::vector<std::string> steers() const;
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
  std::optional<Method> method_;  ///< with its present values; empty: the run cannot be steered
  std::mutex mutex_;              ///< of the reconstruction: threads may step and steer
};

}  // namespace backlit::python
