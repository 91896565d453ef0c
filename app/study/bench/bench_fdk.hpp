// Times FDK end to end: from projections in host memory to the volume in host memory.
#pragma once

#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "study/bench/bench.hpp"

namespace backlit {

enum class BenchInput { f32, u16 };

/// Counts of the open beam.
constexpr float open_counts = 60000;

/// Projections and volume of a case in page-locked memory, allocated before any timing. The projections are noise, as
/// line integrals or counts (no darks), or those of a head from head_views() (counts with open = open_counts). A head
/// gives rows an error.
struct BenchHost {
  BenchHost(Backend&, const BenchCase&, BenchInput, const BenchData* head = nullptr);

  const BenchCase& bench;
  BenchInput input;
  const BenchData* head;
  std::shared_ptr<std::byte> views, volume;
};

/// FDK with its data: a pipeline if the backend has one, otherwise filter and backprojection in sequence, like `recon`.
/// Backend and host must outlive it.
class FdkBench {
 public:
  /// Throws Unsupported for counts if the backend has no pipeline for the case.
  FdkBench(Backend&, const BenchHost&, const CtOptions&, const FdkPipelineOptions& cuts = {});
  ~FdkBench();

  /// Times upload, correction, filter, backprojection and download after a warm-up; the rate is GUPS of all together.
  BenchRow run(std::int64_t repeats);
  /// Times of each stage in the last run; empty without a pipeline.
  Timeline timeline() { return pipeline_ ? pipeline_->timeline() : Timeline{}; }

 private:
  struct Steps;  ///< for backends without a pipeline

  void once();

  Backend& backend_;
  const BenchHost& host_;
  CountScale scale_;
  std::unique_ptr<FdkPipeline> pipeline_;
  std::unique_ptr<Steps> steps_;
};

}  // namespace backlit
