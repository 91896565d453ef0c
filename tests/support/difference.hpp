// Difference of two results.
#pragma once

#include <cmath>
#include <vector>

namespace backlit::test {

/// |a - b| / |a|
inline double relative_l2(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    norm += double{a[i]} * double{a[i]};
  }
  return std::sqrt(difference / norm);
}

}  // namespace backlit::test
