// Something to be timed again and again: what it needs is on the device, and what it left can be looked at.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include <backlit/data/host_array.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

struct Trial {
  std::string variant;        ///< as its operator names it
  double work = 0;            ///< of one run, in 1e9 (GUPS, G samples/s) or 1e6 (M lines/s) of the unit, or 1
  std::string unit;           ///< of work in a second
  std::function<void()> run;  ///< gives the device its work; Backend::finish() waits
  /// What the last run left, in linear order.
  std::function<HostArray<float>()> result;
  /// How far that is from double precision; empty where nobody said what is right.
  std::function<double()> error{};
  /// Of what is blended, the share that changes anything: blend units may leave out what adds 0.
  double adding = 1;
};

/// Arrays that trials of one backend and one case share: what is there already is used, the rest is made.
struct TrialArrays {
  std::shared_ptr<DeviceArray> views, volume;
};

/// Backprojection (model voxel_driven), or the transpose of projection (any other), of views that are on the device
/// already; whatever the operator does with them first (packing into textures) is part of the time. GUPS counts all
/// voxels times all views. `views` and `arrays` are read while this is made.
Trial backprojection_trial(Backend&, const BenchCase&, const CtOptions&, std::span<const float> views,
                           TrialArrays& arrays);

/// Forward projection of a random volume that is on the device. G samples a second count every ray times every slice of
/// a stack (the larger of the grid's x and y extents), whether the ray meets the grid or not. Distance-driven models
/// are counted in GUPS as backprojection is.
Trial projection_trial(Backend&, const BenchCase&, const CtOptions&, TrialArrays& arrays);

/// |a - b| / |b|.
double relative_l2(std::span<const float> a, std::span<const float> b);

}  // namespace backlit
