// A reconstruction that is stepped from Python.
#pragma once

#include <memory>

#include <backlit/device/backend.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "bindings.hpp"

namespace backlit::python {

class Run {
 public:
  /// `kept` (may be null) is what the reconstruction refers to besides the backend.
  Run(const VolumeGrid& grid, std::unique_ptr<Backend> backend, std::shared_ptr<void> kept,
      std::unique_ptr<Reconstruction> reconstruction)
      : grid_(grid), backend_(std::move(backend)), kept_(std::move(kept)), reconstruction_(std::move(reconstruction)) {}

  /// One work item: "more", "iteration" (one has ended) or "finished".
  std::string step();
  nb::ndarray<nb::numpy, float> volume();
  /// stage, done, total, unit, iteration
  nb::tuple progress() const;
  std::vector<double> residuals() const;
  /// Log-likelihoods of list-mode EM, where they were asked for.
  std::vector<double> likelihoods() const;
  const VolumeGrid& grid() const { return grid_; }
  std::string stopped_by() const { return reconstruction_->stopped_by(); }
  std::string variant() const { return reconstruction_->variant(); }
  std::string device() const { return backend_->name() + ", " + backend_->device(); }
  std::map<std::string, double> seconds() const { return reconstruction_->seconds(); }

 private:
  VolumeGrid grid_;
  std::unique_ptr<Backend> backend_;  // goes last
  std::shared_ptr<void> kept_;
  std::unique_ptr<Reconstruction> reconstruction_;
};

}  // namespace backlit::python
