// Times FDK end to end: from projections in host memory to the volume in host memory.
#pragma once

#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include "study/bench/bench.hpp"

namespace backlit {

enum class BenchInput { f32, u16 };

/// What open beam counts.
constexpr float open_counts = 60000;

/// Projections and volume of a case in page-locked memory, made before any clock starts: noise for line integrals or
/// counts (no darks); or a head's, as head_views() kept them (counts: of open = open_counts), which gives rows an
/// error.
struct BenchHost {
  BenchHost(Backend&, const BenchCase&, BenchInput, const BenchData* head = nullptr);

  const BenchCase& bench;
  BenchInput input;
  const BenchData* head;
  std::shared_ptr<std::byte> views, volume;
};

/// FDK with what it works on: a pipeline where the backend has one, else filter and backprojection one after the other,
/// as `recon` does it. Backend and host must outlive it.
class FdkBench {
 public:
  /// Throws Unsupported for counts where the backend has no pipeline for the case.
  FdkBench(Backend&, const BenchHost&, const CtOptions&, const FdkPipelineOptions& cuts = {});
  ~FdkBench();

  /// Upload, correction, filter, backprojection and download, warmed up; GUPS of the whole.
  BenchRow run(std::int64_t repeats);
  /// When each stage of the last run took place; empty without a pipeline.
  Timeline timeline() { return pipeline_ ? pipeline_->timeline() : Timeline{}; }

 private:
  struct Steps;  ///< of what has no pipeline

  void once();

  Backend& backend_;
  const BenchHost& host_;
  CountScale scale_;
  std::unique_ptr<FdkPipeline> pipeline_;
  std::unique_ptr<Steps> steps_;
};

}  // namespace backlit
