#include "cuda/study/list.hpp"

#include "cuda/distance_driven/operator.hpp"
#include "cuda/study/kernels.hpp"
#include "cuda/voxel_driven/named_kernel.hpp"

namespace backlit::cuda {
namespace {

CtOptions way(Model model, Precision precision, Packing packing, const std::string& variant = "") {
  CtOptions o;
  o.model = model;
  o.precision = precision;
  o.packing = packing;
  o.variant = variant;
  return o;
}

std::vector<std::string> study_kernels() {
  std::vector<std::string> names = course_kernels();
  for (const ZinsserKernel& k : zinsser_kernels()) names.emplace_back(k.name);
  return names;
}

std::vector<CtOptions> backprojectors() {
  constexpr Model model = Model::voxel_driven;
  std::vector<CtOptions> all;
  for (const Precision p : {Precision::fast, Precision::half}) {
    all.push_back(way(model, p, Packing::orbit, "orbit"));
    for (const char* kernel : {"columns", "general", "maps"}) all.push_back(way(model, p, Packing::none, kernel));
    for (const char* kernel : {"orbit_fine", "orbit_rows"}) all.push_back(way(model, p, Packing::orbit, kernel));
  }
  all.push_back(way(model, Precision::half, Packing::orbit, "orbit_mma"));
  all.push_back(way(model, Precision::exact, Packing::none));
  for (const std::string& kernel : study_kernels())
    for (const Precision p : {Precision::fast, Precision::half})
      if (p == Precision::fast || takes_half(kernel)) all.push_back(way(model, p, Packing::none, kernel));
  return all;
}

}  // namespace

std::vector<CtOptions> named_variants(Model model) {
  std::vector<CtOptions> all;
  switch (model) {
    case Model::voxel_driven:
      return backprojectors();
    case Model::slice_interpolated:
      for (const Precision p : {Precision::fast, Precision::half})
        for (const Packing packing : {Packing::none, Packing::orbit}) all.push_back(way(model, p, packing));
      all.push_back(way(model, Precision::exact, Packing::none));
      break;
    case Model::raycast:
      for (const Precision p : {Precision::exact, Precision::fast, Precision::half})
        all.push_back(way(model, p, Packing::none));
      break;
    case Model::distance_driven:
      all.push_back(way(model, Precision::fast, Packing::none));
      break;
    case Model::branchless_dd:
      for (const std::string& variant : branchless_variants())
        all.push_back(way(model, Precision::fast, Packing::none, variant));
      break;
    default:
      break;
  }
  return all;
}

}  // namespace backlit::cuda
