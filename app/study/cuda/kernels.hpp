// Backprojection kernels to study: those of Zinsser and Keck (Fully3D 2013) with their method of analysis, and the
// steps by which a GPU programming course improves the plain one. Nothing chooses them but --variant. Views and volumes
// are those of cuda/voxel_driven/kernels.hpp; images are read from linear memory or from layered textures.
#pragma once

#include <string>
#include <vector>

#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {

/// What a kernel leaves out, so that the rest can be timed (their notation: I instructions, M volume, T texture).
enum class Part {
  full,         ///< I|M|T
  no_fetch,     ///< I|M|-: a sum of coordinates takes the place of samples
  instructions  ///< I|-|-: nor is the volume read or written
};

/// One configuration of kernels A (z outside, views inside) and B (views outside, z inside, sums in registers).
struct ZinsserKernel {
  const char* name;   ///< the kernel, its views and slices; sync: all threads of a block go to the next view together
  int views, slices;  ///< I views a pass over the volume, K slices a thread
  int columns, rows;  ///< threads of a block along x and y
  void (*parts[3])(Sampling, GeneralViews, VolumeSlab);  ///< on the device, by Part
};
/// The eight that the analysis compares.
const std::vector<ZinsserKernel>& zinsser_kernels();

struct StudyLaunch {
  Sampling sampling;
  VolumeSlab slab;
  const float* images;  ///< linear views on the device
  const int* slots;     ///< on the device: which image each view of the launch is
};

/// views.count must not exceed the configuration's. What leaves something out runs with as many blocks a multiprocessor
/// as the whole kernel has, held by shared memory that nobody uses.
void backproject_zinsser(Stream&, const ZinsserKernel&, Part, const StudyLaunch&, const GeneralViews&);

/// The course's kernels, one view after the other per voxel: "global" interpolates in software from linear memory,
/// "texture" fetches, "shared_projection" stages the patch of the detector that a block's voxels fall on,
/// "shared_volume" stages the sums of a block's voxels and the views.
const std::vector<std::string>& course_kernels();
void backproject_course(Stream&, const std::string& name, const StudyLaunch&, const GeneralViews&);

}  // namespace backlit::cuda
