// Hidden: how the pipeline's time depends on how the work is cut. Run by name: test_cuda "[.tune]".
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include "study/bench_fdk.hpp"
#include "support/cuda.hpp"

using namespace backlit;

TEST_CASE("time of the pipeline by batches, slabs and cache blocks", "[.tune]") {
  BACKLIT_REQUIRE_CUDA(backend);
  CtOptions ct;
  ct.precision = Precision::half;
  const BenchCase c = bench_case("rabbit512");
  const std::vector<std::vector<std::int64_t>> batches{{8, 16, 24, 32}, {8, 16, 24, 32, 64}, {16, 32, 48}, {32}, {8}};
  const std::vector<std::vector<double>> slabs{{3, 1}, {1}, {7, 1}, {2, 1, 1}};
  for (const BenchInput input : {BenchInput::u16, BenchInput::f32}) {
    const BenchHost host(*backend, c, input);
    const auto time = [&](const FdkPipelineOptions& cut) {
      FdkBench bench(*backend, host, ct, cut);
      const BenchRow row = bench.run(5);
      std::string lanes;
      for (const auto& [lane, seconds] : lane_seconds(bench.timeline()))
        lanes += fmt::format(" {} {:.1f}", lane, 1e3 * seconds);
      fmt::print("{} batches {} slabs {} together {} beside {}: median {:.2f} min {:.2f} ms;{}\n", row.operation,
                 cut.batches, cut.slabs, cut.filtered_together, cut.filter_beside, 1e3 * row.seconds.median,
                 1e3 * row.seconds.min, lanes);
      std::fflush(stdout);
    };
    FdkPipelineOptions cut;
    for (const auto& b : batches) cut.batches = b, time(cut);
    cut = {};
    for (const auto& s : slabs) cut.slabs = s, time(cut);
    cut = {};
    for (std::int64_t n : {4, 16, 32}) cut.filtered_together = n, time(cut);
    cut = {};
    cut.filter_beside = false;
    time(cut);
  }
}
