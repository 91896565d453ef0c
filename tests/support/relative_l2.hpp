// Difference of two arrays.
#pragma once

#include <cmath>
#include <cstddef>

namespace backlit::test {

/// |a - b| / |b|
template <class A, class B>
double relative_l2(const A& a, const B& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    difference += (x - y) * (x - y);
    norm += y * y;
  }
  return std::sqrt(difference / norm);
}

}  // namespace backlit::test
