// Backprojection and projection as candidates of a study, by backend and variant.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "study/bench/bench_data.hpp"
#include "study/study_group.hpp"
#include "study/tumour_profile.hpp"

namespace backlit {

/// What every variant must compute for an update or a sample at least: a coordinate, a sum; in software also three
/// interpolations.
constexpr double filtered_flops = 4, software_flops = 10;

/// A case with the data that all candidates of a group share, made when the first of them is made ready.
class SharedCase {
 public:
  SharedCase(BenchCase c, std::string name) : bench(std::move(c)), workload(std::move(name)) {}

  const BenchCase bench;
  const std::string workload;
  /// The head with small tumours, filtered for FDK, with its right answer.
  const BenchData& data();
  TrialArrays& arrays(Backend& backend) { return arrays_[&backend]; }
  void release_arrays() { arrays_.clear(); }
  /// Share of voxel-views that hit the detector.
  double hits();
  /// Share of them that add something other than 0, of data().
  double additions();
  /// In double precision, of the random volume that projection_trial() takes: the view that `compared_view` names.
  std::span<const float> projected(Model model);
  /// At 30 degrees at most: rays near 45 degrees may be followed through slices of either axis.
  std::int64_t compared_view() const { return bench.scan.view_count() / 12; }
  /// In double precision, from views of noise: the transpose of `model`.
  std::span<const float> transposed(Model model);
  std::span<const float> noise();

  /// From now on the first right volume of each architecture gives a profile.
  void want_profiles() { profile_.emplace(bench); }
  void keep_profile(const std::string& architecture, std::span<const float> volume);
  /// With the CPU's (double precision), where any was kept.
  std::vector<StudyProfile> profiles();

 private:
  std::optional<BenchData> data_;
  std::optional<double> hits_, additions_;
  std::map<const Backend*, TrialArrays> arrays_;
  std::map<Model, HostArray<float>> projected_, transposed_;
  HostArray<float> noise_;
  std::optional<TumourProfile> profile_;
  std::map<std::string, StudyProfile> profiles_;
};
using SharedCasePtr = std::shared_ptr<SharedCase>;

/// Architecture, options, ceilings and bound of a backprojection. Variants that a backend cannot even read are reported
/// as they were written: they become unsupported cells. `copied_bytes`: the volume at which ceilings of memory were
/// measured; smaller ones may stay in a cache and name none.
Candidate backprojection_candidate(Backend&, const SharedCasePtr&, CtOptions, double copied_bytes);

/// Likewise of a forward projection; the error is the relative L2 of one view.
Candidate projection_candidate(Backend&, const SharedCasePtr&, const CtOptions&, const std::string& operation);
/// Of a transpose; the error is the relative L2 of the volume.
Candidate transpose_candidate(Backend&, const SharedCasePtr&, const CtOptions&, const std::string& operation);

}  // namespace backlit
