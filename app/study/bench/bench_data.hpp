// Data of benchmarks: views of a known object, and reference values at a sample of the voxels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <backlit/data/host_array.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>
#include "study/bench/cases.hpp"

namespace backlit {

inline constexpr double water = 0.02;  ///< 1/mm

/// A sample of a grid's voxels with their backprojection in double precision.
struct VoxelSample {
  std::vector<std::int64_t> voxels;  ///< indices, x fastest
  std::vector<double> values;        ///< 1/mm
};

/// Random views have no samples.
struct BenchData {
  HostArray<float> views;        ///< FDK-filtered, [view][row][column]
  HostArray<float> integrals{};  ///< the line integrals before the filter, if requested
  VoxelSample middle;  ///< voxels within HeadOptions::middle of the extent around the middle, where all cases have data
  VoxelSample all;     ///< voxels of the whole grid
};

/// Options for the views of the head.
struct HeadOptions {
  std::string phantom = "forbild-head-plain";
  FilterOptions filter{};
  double middle = 0.35;   ///< share of the grid's extent on either side of its middle
  int supersampling = 1;  ///< rays for each side of a pixel; 1: infinitely thin rays, sharper than any detector
  bool keep_integrals = false;
  double open = 0;  ///< open-beam counts: rounds integrals to whole counts, as a detector does; 0: exact integrals
};

/// Noise in [-1, 1): fast to make, and as fast for a texture unit as real data. It has no reference.
BenchData random_views(const BenchCase&);

/// Exact line integrals of a phantom, filtered for FDK, with two samples of 20,000 random voxels. The default phantom
/// is the FORBILD head without ears (bone up to 0.036/mm).
BenchData head_views(const BenchCase&, const HeadOptions& = {});

/// A volume to project, and reference values of some of its rays in double precision. Empty: noise without a reference.
struct BenchRays {
  HostArray<float> volume;         ///< x fastest
  std::vector<std::int64_t> rays;  ///< indices [view][row][column], u fastest
  std::vector<double> values;
};

/// The FORBILD head without ears on the case's grid, and 4,000 random rays computed by the cpu backend. Throws
/// Unsupported for models that the cpu backend lacks.
BenchRays head_rays(const BenchCase&, const CtOptions&);

/// The values of these rays by the cpu backend with other options.
std::vector<double> rays_in_double(const BenchCase&, const BenchRays&, const CtOptions&);

/// The stacks of slices that an operator uses, from its options and its variant().
StackChoice stack_of(const CtOptions&, const std::string& variant);

/// Relative L2 of all `views` over the rays.
double relative_l2(const BenchRays&, std::span<const float> views);

/// FDK-weighted backprojection of single voxels in double precision. `views` as in BenchData.
std::vector<double> backproject_voxels(const BenchCase&, const HostArray<float>& views,
                                       std::span<const std::int64_t> voxels);

/// Root mean square difference over the sample, in Hounsfield units with water at 0.02/mm.
double rmse_hu(const VoxelSample&, std::span<const float> volume);

/// The error similar to RabbitCT's definition (Rohkohl, Keck, Hofmann, Hornegger, Med. Phys. 36 (2009) 3940): HU + 1024
/// within the range of 12 bits, [0, 4095]. In contrast to RabbitCT, it uses a sample of the whole grid. Values are not
/// rounded to whole numbers, which would hide errors below half a HU.
struct RabbitError {
  double rmse_hu = 0;
  double max_hu = 0;   ///< largest error in the sample
  double psnr_db = 0;  ///< 10 log10(4095^2 / MSE)
};
RabbitError rabbitct_error(const VoxelSample&, std::span<const float> volume);

/// Share of voxels times views whose centre falls on the detector or within a pixel of it, over a sample of 20,000
/// voxels.
double share_of_hits(const BenchCase&);

/// Share of voxels times views with a bilinear value other than 0: rows that no ray of the object reaches add nothing.
double share_of_additions(const BenchCase&, const HostArray<float>& views);

/// Overwrites `values` with noise in [-1, 1), the same at every run.
void fill_random(std::span<float> values);

}  // namespace backlit
