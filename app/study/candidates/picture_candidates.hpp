// Candidates of a study for volume rendering and D2VR. Only the gl backend draws; others report that they do not.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "study/bench/bench_render.hpp"
#include "study/bench/bench_views.hpp"
#include "study/study_group.hpp"

namespace backlit {

/// A case with the reference pictures and their data.
class SharedPictures {
 public:
  SharedPictures(BenchCase c, std::string name, std::int64_t picture_side)
      : bench(std::move(c)), workload(std::move(name)), side(picture_side) {}
  const BenchCase bench;
  const std::string workload;
  const std::int64_t side;

  RenderBench& renders(Backend&);
  const BenchData& views();
  /// Mean length of a ray in the grid.
  double path_mm();
  const std::vector<float>& rendered(Backend&, VolumeMode);
  const std::vector<float>& from_views(VolumeMode);

 private:
  std::map<const Backend*, std::unique_ptr<RenderBench>> renders_;
  std::optional<BenchData> views_;
  std::optional<double> path_mm_;
  std::map<VolumeMode, std::vector<float>> rendered_, from_views_;
};

Candidate render_candidate(Backend&, const std::shared_ptr<SharedPictures>&, const RenderVariant&);

struct D2vrVariant {
  VolumeMode mode = VolumeMode::mip;
  bool compute = true;
  bool skip = true;
  Precision precision = Precision::fast;
};
Candidate d2vr_candidate(Backend&, const std::shared_ptr<SharedPictures>&, const D2vrVariant&);

}  // namespace backlit
