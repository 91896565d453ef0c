// Figures of other programs, to stand beside ours.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/bench/bench.hpp"

namespace backlit::cli {

class Peers {
 public:
  /// One row of another program: a case and an operation of `backlit bench`.
  struct Row {
    std::string case_name, operation, variant, unit, source;
    double rate;
  };

  /// `file`: what `backlit bench --json` wrote, or a file with the same keys (at least case, operation and rate);
  /// "peers": what we ship, assets/bench/peers.json; empty: nothing. Throws InputError naming the row that cannot be
  /// read.
  explicit Peers(const std::string& file);

  /// Those of the same case and operation, in the same unit where they have one.
  std::vector<Row> of(const BenchRow&) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace backlit::cli
