// Published rates of other programs, for comparison with ours.
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

  /// Reads `file`: the output of `backlit bench --json`, or a file with the same keys (at least case, operation and
  /// rate). "peers": the shipped file assets/bench/peers.json; empty: no rows. Throws InputError naming the row that
  /// cannot be read.
  explicit Peers(const std::string& file);

  /// The rows of the same case and operation, and of the same unit if they have one.
  std::vector<Row> of(const BenchRow&) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace backlit::cli
