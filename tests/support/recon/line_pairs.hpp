// A group of line pairs and its contrast.
#pragma once

#include <cmath>

#include <backlit/phantom/phantom.hpp>

namespace backlit::test {

/// The disc and the group of 14 line pairs per cm of the shipped CTP528-like phantom.
inline Phantom fourteen_per_cm() {
  const Phantom whole = load_phantom("ctp528");
  Phantom p{"14 per cm", {whole.bodies.front()}};
  for (const Body& body : whole.bodies)
    if (std::abs(2 * body.half.y - 5.0 / 14) < 1e-3) p.bodies.push_back(body);
  return p;
}

/// (bars - gaps) / (their true difference), from values at the middles of bars and gaps.
template <class ValueAt>
double modulation(const Phantom& p, ValueAt&& value_at) {
  double bars = 0, gaps = 0;
  const std::size_t n = p.bodies.size() - 1;
  for (std::size_t i = 1; i <= n; ++i) {
    bars += value_at(p.bodies[i].center) / static_cast<double>(n);
    if (i < n) gaps += value_at(0.5 * (p.bodies[i].center + p.bodies[i + 1].center)) / static_cast<double>(n - 1);
  }
  return (bars - gaps) / p.bodies[1].value;
}

}  // namespace backlit::test
