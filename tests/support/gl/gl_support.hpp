// Shared by the GL tests: one debug context for each program, and repeatable random numbers.
#pragma once

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "gl/context.hpp"
#include "support/relative_l2.hpp"

namespace backlit::gl {

/// Made once and current, with the device's real limits.
inline std::shared_ptr<Context> test_context() {
  static const std::shared_ptr<Context> context = Context::create({.device = {}, .cuda_device = {}, .debug = true});
  context->make_current();
  context->mask(query_limits());
  return context;
}

inline std::vector<float> random_values(std::int64_t n, unsigned seed, float low = 0, float high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> v(static_cast<std::size_t>(n));
  for (float& x : v) x = uniform(engine);
  return v;
}

using test::relative_l2;

}  // namespace backlit::gl
