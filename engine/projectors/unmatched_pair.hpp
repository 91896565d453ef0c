// A projector with another projector's backprojector in place of its transpose.
#pragma once

#include <memory>

#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// forward() of one operator, back() and sensitivity() of another over the same grid and views: faster, or smoother,
/// than the true transpose. Iterations that divide by the pair's own sums (SIRT, SART, EM) settle near the
/// least-squares image, not on it (Zeng and Gullberg, IEEE Trans. Med. Imaging 19 (2000) 548). Iterations that use
/// back() as the gradient (CGLS, PCG, FISTA) need a matched pair. Both operators must work on each other's arrays, so
/// both belong to one backend.
class UnmatchedPair final : public LinearOperator {
 public:
  UnmatchedPair(std::unique_ptr<LinearOperator> forward, std::unique_ptr<LinearOperator> back)
      : forward_(std::move(forward)), back_(std::move(back)) {}

  ArrayShape domain() const override { return forward_->domain(); }
  ArrayShape range() const override { return forward_->range(); }
  ArrayPtr make_domain() override { return forward_->make_domain(); }
  ArrayPtr make_range(std::int64_t rows) override { return forward_->make_range(rows); }
  void forward(const DeviceArray& x, DeviceArray& y, const Subset& s, Write w) override {
    forward_->forward(x, y, s, w);
  }
  void back(const DeviceArray& y, DeviceArray& x, const Subset& s, Write w) override { back_->back(y, x, s, w); }
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset& s) override {
    return back_->relax(y, x, factor, least, s);
  }
  void sensitivity(DeviceArray& x, const Subset& s) override { back_->sensitivity(x, s); }
  bool matched() const override { return false; }
  std::string variant() const override { return forward_->variant() + " with back " + back_->variant(); }

 private:
  std::unique_ptr<LinearOperator> forward_, back_;
};

}  // namespace backlit
