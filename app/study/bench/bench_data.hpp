// What benchmarks are run on: views of a known object, and the right answer at a sample of the voxels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <backlit/data/host_array.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

/// Some voxels of a grid with their backprojection in double precision.
struct VoxelSample {
  std::vector<std::int64_t> voxels;  ///< indices, x fastest
  std::vector<double> values;        ///< 1/mm
};

/// Random views have no samples.
struct BenchData {
  HostArray<float> views;        ///< FDK-filtered, [view][row][column]
  HostArray<float> integrals{};  ///< the same before the filter, where they were asked for
  VoxelSample middle;  ///< within HeadOptions::middle of the extent about the middle, where all cases have data
  VoxelSample all;     ///< of the whole grid
};

/// What the head's views are like.
struct HeadOptions {
  std::string phantom = "forbild-head-plain";
  FilterOptions filter{};
  double middle = 0.35;   ///< share of the grid's extent on either side of its middle
  int supersampling = 1;  ///< rays a pixel side; 1: infinitely fine rays, sharper than any detector
  bool keep_integrals = false;
  double open = 0;  ///< integrals are those of whole counts up to this, as a detector would give; 0: exact
};

/// Noise in [-1, 1): fast to make, and no slower or faster for a texture unit than data. No right answer.
BenchData random_views(const BenchCase&);

/// Exact line integrals of a phantom, by default the FORBILD head without ears (bone up to 0.036/mm), filtered for FDK,
/// and two samples of 20,000 random voxels.
BenchData head_views(const BenchCase&, const HeadOptions& = {});

/// A volume to project, and what a model says of some of its rays in double precision. Empty: noise, no right answer.
struct BenchRays {
  HostArray<float> volume;         ///< x fastest
  std::vector<std::int64_t> rays;  ///< indices [view][row][column], u fastest
  std::vector<double> values;
};

/// The FORBILD head without ears on the case's grid, 4,000 random rays of it by the cpu backend. Throws Unsupported for
/// models that it does not have.
BenchRays head_rays(const BenchCase&, const CtOptions&);

/// What the cpu backend says of these rays for other options.
std::vector<double> rays_in_double(const BenchCase&, const BenchRays&, const CtOptions&);

/// The stacks of slices that an operator goes through, by its options and its variant().
StackChoice stack_of(const CtOptions&, const std::string& variant);

/// Relative L2 over the rays of all `views`.
double relative_l2(const BenchRays&, std::span<const float> views);

/// FDK-weighted backprojection of single voxels in double precision. `views` as in BenchData.
std::vector<double> backproject_voxels(const BenchCase&, const HostArray<float>& views,
                                       std::span<const std::int64_t> voxels);

/// Root mean square difference over the sample, in Hounsfield units with water at 0.02/mm.
double rmse_hu(const VoxelSample&, std::span<const float> volume);

/// The error much as RabbitCT defines it (Rohkohl, Keck, Hofmann, Hornegger, Med. Phys. 36 (2009) 3940): HU + 1024
/// within the range of 12 bits, [0, 4095]. Unlike there from a sample of the whole grid, not all of it, and not rounded
/// to whole numbers, which would hide errors below half a HU.
struct RabbitError {
  double rmse_hu = 0;
  double max_hu = 0;   ///< of the sample
  double psnr_db = 0;  ///< 10 log10(4095^2 / MSE)
};
RabbitError rabbitct_error(const VoxelSample&, std::span<const float> volume);

/// Share of voxels times views where the voxel's centre falls on the detector or within a pixel of it, over a sample of
/// 20,000 voxels.
double share_of_hits(const BenchCase&);

/// Share of the same where the bilinear value is not 0: rows that no ray of the object reaches add nothing.
double share_of_additions(const BenchCase&, const HostArray<float>& views);

/// Overwrites with noise in [-1, 1), the same at every run.
void fill_random(std::span<float> values);

}  // namespace backlit
