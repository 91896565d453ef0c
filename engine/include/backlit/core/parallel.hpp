// Loops over cores. Sums use fixed chunks in a fixed order, so that results do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <numeric>
#include <vector>

namespace backlit {

/// Calls f(i) for i in [0, n) on all cores; the first exception thrown is rethrown here.
template <class F>
void parallel_for(std::int64_t n, F&& f) {
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t i = 0; i < n; ++i) {
    try {
      f(i);
    } catch (...) {
#pragma omp critical(backlit_parallel_for)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// Calls f(begin, end) for consecutive chunks of [0, n), in parallel. Meant for loops whose body is a few instructions.
template <class F>
void parallel_chunks(std::int64_t n, F&& f, std::int64_t chunk = 1 << 16) {
  parallel_for((n + chunk - 1) / chunk, [&](std::int64_t c) { f(c * chunk, std::min(n, (c + 1) * chunk)); });
}

/// Returns join(... join(join(start, f(chunk 0)), f(chunk 1)) ...), with f(begin, end) -> double. The order of the
/// chunks does not depend on the number of threads.
template <class F, class Join>
double parallel_reduce(std::int64_t n, double start, F&& f, Join&& join, std::int64_t chunk = 1 << 16) {
  std::vector<double> part(static_cast<std::size_t>((n + chunk - 1) / chunk));
  parallel_chunks(
      n, [&](std::int64_t b, std::int64_t e) { part[static_cast<std::size_t>(b / chunk)] = f(b, e); }, chunk);
  return std::accumulate(part.begin(), part.end(), start, join);
}

/// Sum over chunks of f(begin, end) -> double.
template <class F>
double parallel_sum(std::int64_t n, F&& f, std::int64_t chunk = 1 << 16) {
  return parallel_reduce(n, 0.0, f, std::plus<>(), chunk);
}

}  // namespace backlit
