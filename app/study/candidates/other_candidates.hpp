// Lines of response, iterations and pictures as candidates of a study.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include <backlit/render/volume_rendering.hpp>
#include "study/bench/bench_lines.hpp"
#include "study/bench/bench_recon.hpp"
#include "study/study_group.hpp"

namespace backlit {

/// Lines with what is right for them, in double precision.
class SharedLines {
 public:
  explicit SharedLines(LineCase c) : bench(std::move(c)) {}
  const LineCase bench;
  std::span<const float> truth(const LineBenchOptions&, LineWork);
  /// Voxels in which a line of that width has weights, the mean.
  double voxels(const LineBenchOptions&);

 private:
  std::map<std::string, double> voxels_;
  std::map<std::pair<std::string, LineWork>, HostArray<float>> truth_;
};
Candidate line_candidate(Backend&, const std::shared_ptr<SharedLines>&, const LineBenchOptions&, LineWork);

/// A case with the volume that an iteration on the CPU, in double precision, makes of zero.
class SharedIterations {
 public:
  SharedIterations(BenchCase c, std::string name) : bench(std::move(c)), workload(std::move(name)) {}
  const BenchCase bench;
  const std::string workload;
  std::span<const float> truth(const Method&);
  /// Slices that all rays cross together, and voxels that all views see.
  double crossings();
  double updates();

 private:
  std::optional<double> crossings_, updates_;
  std::map<std::string, HostArray<float>> truth_;  ///< by method
};
Candidate iteration_candidate(Backend&, const std::shared_ptr<SharedIterations>&, const Method&);

}  // namespace backlit
