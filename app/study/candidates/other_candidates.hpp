// Candidates of a study for lines of response, iterations and pictures.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include <backlit/render/volume_rendering.hpp>
#include "study/bench/bench_lines.hpp"
#include "study/bench/bench_recon.hpp"
#include "study/study_group.hpp"

namespace backlit {

/// Lines with their reference in double precision.
class SharedLines {
 public:
  explicit SharedLines(LineCase c) : bench(std::move(c)) {}
  const LineCase bench;
  std::span<const float> truth(const LineBenchOptions&, LineWork);
  /// Mean number of voxels in which a line of that width has weights.
  double voxels(const LineBenchOptions&);

 private:
  std::map<std::string, double> voxels_;
  std::map<std::pair<std::string, LineWork>, HostArray<float>> truth_;
};
Candidate line_candidate(Backend&, const std::shared_ptr<SharedLines>&, const LineBenchOptions&, LineWork);

/// A case with the volume after one iteration from zero on the CPU, in double precision.
class SharedIterations {
 public:
  SharedIterations(BenchCase c, std::string name) : bench(std::move(c)), workload(std::move(name)) {}
  const BenchCase bench;
  const std::string workload;
  std::span<const float> truth(const Method&);
  /// Number of slices that all rays cross, and of voxels that all views see.
  double crossings();
  double updates();

 private:
  std::optional<double> crossings_, updates_;
  std::map<std::string, HostArray<float>> truth_;  ///< by method
};
Candidate iteration_candidate(Backend&, const std::shared_ptr<SharedIterations>&, const Method&);

}  // namespace backlit
