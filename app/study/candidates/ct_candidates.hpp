// Candidates of a study for backprojection and projection, by backend and variant.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "study/bench/bench_data.hpp"
#include "study/study_group.hpp"
#include "study/tumour_profile.hpp"

namespace backlit {

/// Least operations of any variant for an update or a sample: a coordinate and a sum; in software also three
/// interpolations.
constexpr double filtered_flops = 4, software_flops = 10;

/// A case with the data that all candidates of a group share; made when the first candidate needs them.
class SharedCase {
 public:
  SharedCase(BenchCase c, std::string name) : bench(std::move(c)), workload(std::move(name)) {}

  const BenchCase bench;
  const std::string workload;
  /// The head with small tumours, filtered for FDK, with its reference.
  const BenchData& data();
  TrialArrays& arrays(Backend& backend) { return arrays_[&backend]; }
  void release_arrays() { arrays_.clear(); }
  /// Share of voxel-views that hit the detector.
  double hits();
  /// Share of these hits with a value other than 0, for data().
  double additions();
  /// View `compared_view` of the random volume of projection_trial(), in double precision.
  std::span<const float> projected(Model model);
  /// At most at 30 degrees: rays near 45 degrees may be followed through slices of either axis.
  std::int64_t compared_view() const { return bench.scan.view_count() / 12; }
  /// The transpose of `model` for views of noise, in double precision.
  std::span<const float> transposed(Model model);
  std::span<const float> noise();

  /// From now on the first correct volume of each architecture gives a profile.
  void want_profiles() { profile_.emplace(bench); }
  void keep_profile(const std::string& architecture, std::span<const float> volume);
  /// The profiles, with that of the CPU (double precision), if any were kept.
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

/// Architecture, options, ceilings and error bound of a backprojection. Variants that a backend cannot parse keep their
/// text and become unsupported cells. `copied_bytes`: size of the volume with which ceilings of memory were measured;
/// smaller volumes may stay in a cache and name no ceiling.
Candidate backprojection_candidate(Backend&, const SharedCasePtr&, CtOptions, double copied_bytes);

/// A candidate for forward projection; the error is the relative L2 of one view.
Candidate projection_candidate(Backend&, const SharedCasePtr&, const CtOptions&, const std::string& operation);
/// A candidate for a transpose; the error is the relative L2 of the volume.
Candidate transpose_candidate(Backend&, const SharedCasePtr&, const CtOptions&, const std::string& operation);

}  // namespace backlit
