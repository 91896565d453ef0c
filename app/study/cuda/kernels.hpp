// Backprojection kernels for studies. Those of Zinsser and Keck (Fully3D 2013) come with their method of analysis.
// Others are the steps by which a GPU programming course improves the plain kernel. Only --variant selects them. Views
// and volumes are those of cuda/voxel_driven/kernels.hpp; images are read from linear memory or from layered textures.
#pragma once

#include <string>
#include <vector>

#include "cuda/voxel_driven/kernels.hpp"

namespace backlit::cuda {

/// The parts of a kernel that run, so that each can be timed (their notation: I instructions, M volume, T texture).
enum class Part {
  full,         ///< I|M|T
  no_fetch,     ///< I|M|-: a sum of coordinates replaces the samples
  instructions  ///< I|-|-: also without access to the volume
};

/// One configuration of kernels A (z outside, views inside) and B (views outside, z inside, sums in registers).
struct ZinsserKernel {
  const char* name;   ///< kernel, views, slices; sync: all threads of a block advance to the next view together
  int views, slices;  ///< I views in a pass over the volume, K slices for each thread
  int columns, rows;  ///< threads of a block along x and y
  void (*parts[3])(Sampling, GeneralViews, VolumeSlab);  ///< on the device, by Part
};
/// The eight configurations that the analysis compares.
const std::vector<ZinsserKernel>& zinsser_kernels();

struct StudyLaunch {
  Sampling sampling;
  VolumeSlab slab;
  const float* images;  ///< linear views on the device
  const int* slots;     ///< on the device: index of the image of each view of the launch
};

/// views.count must not exceed the configuration's. Kernels without some parts run with as many blocks for each
/// multiprocessor as the whole kernel; unused shared memory limits them.
void backproject_zinsser(Stream&, const ZinsserKernel&, Part, const StudyLaunch&, const GeneralViews&);

/// The course's kernels, which process one view after the other for each voxel. "global" interpolates in software from
/// linear memory, "texture" fetches from textures. "shared_projection" stages the part of the detector that a block's
/// voxels project to. "shared_volume" stages the sums of a block's voxels and the views.
const std::vector<std::string>& course_kernels();
void backproject_course(Stream&, const std::string& name, const StudyLaunch&, const GeneralViews&);

}  // namespace backlit::cuda
