// Hidden: how the pipeline's time depends on how the work is cut. Run by name: test_cuda "[.tune]".
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

#include "study/bench/bench_fdk.hpp"
#include "support/cuda.hpp"

using namespace backlit;

namespace {

using Sizes = std::vector<std::int64_t>;
using Shares = std::vector<double>;

void time(Backend& backend, const BenchHost& host, const CtOptions& ct, const FdkPipelineOptions& cut) {
  FdkBench bench(backend, host, ct, cut);
  const BenchRow row = bench.run(5);
  std::string lanes;
  for (const auto& [lane, seconds] : lane_seconds(bench.timeline()))
    lanes += fmt::format(" {} {:.1f}", lane, 1e3 * seconds);
  fmt::print("{} {} batches {} slabs {} together {} beside {}: median {:.2f} min {:.2f} ms;{}\n", row.operation,
             row.variant, cut.batches, cut.slabs, cut.filtered_together, cut.filter_beside, 1e3 * row.seconds.median,
             1e3 * row.seconds.min, lanes);
  std::fflush(stdout);
}

}  // namespace

TEST_CASE("time of the pipeline by batches, slabs and cache blocks", "[.tune]") {
  BACKLIT_REQUIRE_CUDA(backend);
  CtOptions ct;
  ct.precision = Precision::half;
  const BenchCase c = bench_case("rabbit512");
  for (const BenchInput input : {BenchInput::u16, BenchInput::f32}) {
    const BenchHost host(*backend, c, input);
    FdkPipelineOptions cut;
    for (const bool beside : {true, false})
      for (const std::int64_t together : {8, 32, 64})
        for (const Sizes& sizes : {Sizes{8, 16, 24, 32, 64}, Sizes{8, 16, 32, 64, 128}, Sizes{16, 48, 96, 160},
                                   Sizes{8, 24, 64, 128, 136, 136}, Sizes{248}}) {
          if (together == 64 && sizes[0] != 16) continue;
          cut = {};
          cut.batches = sizes, cut.filtered_together = together, cut.filter_beside = beside;
          time(*backend, host, ct, cut);
        }
    for (const Shares& shares : {Shares{2, 1}, Shares{5, 1}, Shares{1, 1, 1, 1}}) {
      cut = {};
      cut.batches = {8, 16, 32, 64, 128}, cut.slabs = shares, cut.filtered_together = 32;
      time(*backend, host, ct, cut);
    }
  }
}

TEST_CASE("time of the pipeline of single views by slabs", "[.tune]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const BenchCase c = bench_case("rabbit512");
  const BenchHost host(*backend, c, BenchInput::u16);
  for (const char* variant : {"columns", "general"})
    for (const Precision precision : {Precision::half, Precision::fast}) {
      CtOptions ct;
      ct.precision = precision;
      ct.variant = variant;
      for (const Shares& shares :
           {Shares{}, Shares{1}, Shares{2, 1}, Shares{1, 1, 1, 1}, Shares{1, 1, 1, 1, 1, 1, 1, 1}})
        for (const bool beside : {true, false}) {
          FdkPipelineOptions cut;
          cut.slabs = shares, cut.filter_beside = beside;
          time(*backend, host, ct, cut);
        }
    }
}
