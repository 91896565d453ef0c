// A piece of work that can be timed repeatedly: its data are on the device, and its result can be read.
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
  std::string variant;        ///< name given by the operator
  double work = 0;            ///< work of one run, in 1e9 (GUPS, G samples/s) or 1e6 (M lines/s) of the unit, or 1
  std::string unit;           ///< unit of work in a second
  std::function<void()> run;  ///< submits the work to the device; Backend::finish() waits
  /// The result of the last run, in linear order.
  std::function<HostArray<float>()> result;
  /// Error of the result against double precision; empty without a reference.
  std::function<double()> error{};
  /// Share of the blended values other than 0: blend units may skip zeros.
  double adding = 1;
};

/// Arrays that trials of one backend and one case share; missing ones are allocated.
struct TrialArrays {
  std::shared_ptr<DeviceArray> views, volume;
};

/// Backprojection (model voxel_driven), or the transpose of projection (any other model), of views on the device. The
/// time includes work of the operator on the views, such as packing into textures. GUPS counts all voxels times all
/// views. `views` and `arrays` are read only while the trial is made.
Trial backprojection_trial(Backend&, const BenchCase&, const CtOptions&, std::span<const float> views,
                           TrialArrays& arrays);

/// Forward projection of a random volume on the device. G samples a second count every ray times every slice of a
/// stack, even if the ray misses the grid. A stack has the larger of the grid's x and y extents. Distance-driven models
/// are counted in GUPS like backprojection.
Trial projection_trial(Backend&, const BenchCase&, const CtOptions&, TrialArrays& arrays);

/// |a - b| / |b|.
double relative_l2(std::span<const float> a, std::span<const float> b);

}  // namespace backlit
