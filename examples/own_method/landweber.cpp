#include "landweber.hpp"

#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/reconstruction.hpp>

using namespace backlit;

namespace {

/// Written against LinearOperator and the backend's vector operations: it runs on every device.
class Landweber final : public Reconstruction {
 public:
  Landweber(const ReconInput& input, const LandweberOptions& options)
      : backend_(input.backend), grid_(input.grid), options_(options) {
    const Scan& scan = input.source->scan();
    CtOptions ct = options.choices;
    ct.model = options.model == "auto" ? Model::joseph : model_from(options.model);
    ct.precision = options.precision;
    ct.packing = options.packing;
    operator_ = backend_.make_ct(grid_, scan, ct);
    x_ = operator_->make_domain();
    change_ = operator_->make_domain();
    data_ = operator_->make_range(scan.view_count());
    lack_ = operator_->make_range(scan.view_count());
    std::vector<float> views(static_cast<std::size_t>(data_->count()));
    input.source->read(0, scan.view_count(), views);
    backend_.upload(views, *data_);
    step_ = options.relaxation / largest_eigenvalue();
  }

  Status step() override {
    operator_->forward(*x_, *lack_, operator_->all(), Write::overwrite);
    backend_.subtract_from(*data_, *lack_);
    operator_->back(*lack_, *change_, operator_->all(), Write::overwrite);
    backend_.axpy(static_cast<float>(step_), *change_, *x_);
    residuals_.push_back(std::sqrt(backend_.dot(*lack_, *lack_) / backend_.dot(*data_, *data_)));
    const bool last = static_cast<std::int64_t>(residuals_.size()) == options_.iterations;
    return last ? Status::finished : Status::iteration_done;
  }
  ReconProgress progress() const override {
    const auto done = static_cast<std::int64_t>(residuals_.size());
    return {"iterate", done, options_.iterations, "iterations", done};
  }
  std::span<const double> residuals() const override { return residuals_; }
  void publish(DisplayVolume& display) override { display.publish(*x_, grid_); }
  Volume download() override {
    Volume volume(grid_);
    backend_.download(*x_, volume.values.span());
    return volume;
  }
  const std::map<std::string, double>& seconds() const override { return seconds_; }
  std::string variant() const override { return operator_->variant(); }

 private:
  /// Of A'A, by ten steps of the power method.
  double largest_eigenvalue() {
    backend_.fill(*change_, 1);
    double norm = 1;
    for (int n = 0; n < 10; ++n) {
      backend_.scale(*change_, static_cast<float>(1 / std::sqrt(backend_.dot(*change_, *change_))));
      operator_->forward(*change_, *lack_, operator_->all(), Write::overwrite);
      operator_->back(*lack_, *change_, operator_->all(), Write::overwrite);
      norm = std::sqrt(backend_.dot(*change_, *change_));
    }
    return norm;
  }

  Backend& backend_;
  VolumeGrid grid_;
  LandweberOptions options_;
  std::unique_ptr<LinearOperator> operator_;
  ArrayPtr x_, change_, data_, lack_;
  double step_ = 0;
  std::vector<double> residuals_;
  std::map<std::string, double> seconds_;
};

}  // namespace

Parameters LandweberOptions::parameters() {
  Parameters list{iterations_parameter(iterations),
                  {"relaxation", &relaxation, "step as a share of 1 / |A|^2", "", 0.01, 1.99}};
  append(list, OperatorOptions::parameters());
  return list;
}

MethodInfo landweber_method() {
  return announce<LandweberOptions>({.name = "landweber",
                                     .title = "Landweber iteration",
                                     .paper = "Landweber, Am. J. Math. 73 (1951) 615",
                                     .about = "An example; sirt and cgls converge faster.",
                                     .usual = {"iterations", "relaxation"}},
                                    [](const ReconInput& input, const LandweberOptions& options) {
                                      return std::make_unique<Landweber>(input, options);
                                    });
}
