// Slabs that one rank makes one after another.
#include <utility>

#include "large/cut.hpp"
#include "large/ranks/ranked_backend.hpp"

namespace backlit {
namespace {

/// Stands for the ranks that would make a slab each. All agree with this one, and none has anything to send.
class RanksOfSlabs final : public Ranks {
 public:
  RanksOfSlabs(std::shared_ptr<Ranks> real, std::int64_t slab, int slabs)
      : real_(std::move(real)), slab_(static_cast<int>(slab)), slabs_(slabs) {}

  int rank() const override { return slab_; }
  int size() const override { return slabs_; }
  int local_rank() const override { return real_->local_rank(); }
  int local_size() const override { return real_->local_size(); }
  std::string machine() const override { return real_->machine(); }
  void exchange(const Out&, const In&) override { check(); }
  std::vector<double> gather(std::span<const double> values) override {
    check();
    std::vector<double> all;
    for (int r = 0; r < slabs_; ++r) all.insert(all.end(), values.begin(), values.end());
    return all;
  }
  void check() override { real_->check(); }

 private:
  std::shared_ptr<Ranks> real_;
  int slab_, slabs_;
};

}  // namespace

IndexRange RankedBackend::slabs_in_turn(const VolumeGrid& grid) const {
  const int ranks = ranks_->size(), slabs = slabs_of_ranks(grid.size[2], ranks, slabs_), each = slabs / ranks;
  return {each > 1 ? std::int64_t{ranks_->rank()} * each : 0, each > 1 ? each : 0};
}

std::unique_ptr<Backend> RankedBackend::backend_of_slab(std::int64_t slab) {
  return std::make_unique<RankedBackend>(device_, std::make_shared<RanksOfSlabs>(ranks_, slab, slabs_));
}

}  // namespace backlit
