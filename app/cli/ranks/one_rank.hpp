// A process that makes several slabs of a volume is the only rank.
#pragma once

#include <backlit/core/progress.hpp>
#include <backlit/device/ranks.hpp>

namespace backlit::cli {

class OneRank final : public Ranks {
 public:
  explicit OneRank(const CancelToken& cancel) : cancel_(cancel) {}
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int local_rank() const override { return 0; }
  int local_size() const override { return 1; }
  std::string machine() const override { return "this machine"; }
  void exchange(const Out&, const In&) override { check(); }
  std::vector<double> gather(std::span<const double> values) override {
    check();
    return {values.begin(), values.end()};
  }
  void check() override { cancel_.check(); }

 private:
  const CancelToken& cancel_;
};

}  // namespace backlit::cli
