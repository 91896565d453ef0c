#include "study/cuda/register.hpp"

#include <backlit/projectors/projector.hpp>
#include "cuda/lines_of_response/operator.hpp"
#include "study/cuda/distance_driven/operator.hpp"
#include "study/cuda/kernels.hpp"
#include "study/cuda/line_variant.hpp"
#include "study/cuda/operator.hpp"
#include "study/cuda/probes.hpp"
#include "study/cuda/sart_in_place/register.hpp"

namespace backlit {
namespace cuda {
namespace {

std::vector<CtOptions> backprojectors() {
  std::vector<CtOptions> all;
  const auto add = [&](Precision precision, Packing packing, const std::string& kernel) {
    all.push_back({Model::voxel_driven, precision, packing, Weighting::none, kernel});
  };
  add(Precision::half, Packing::orbit, "orbit_mma");
  for (const Precision p : {Precision::fast, Precision::half}) add(p, Packing::orbit, "orbit_rows");
  std::vector<std::string> kernels = course_kernels();
  for (const ZinsserKernel& k : zinsser_kernels()) kernels.emplace_back(k.name);
  for (const std::string& kernel : kernels) {
    add(Precision::fast, Packing::none, kernel);
    if (study_kernel(kernel).half) add(Precision::half, Packing::none, kernel);
  }
  return all;
}

ProjectorInfo studied_backprojectors() {
  ProjectorInfo info;
  info.model = Model::voxel_driven;
  info.device = "cuda";
  info.packings = {Packing::automatic, Packing::none, Packing::orbit};
  info.fdk_weights = true;
  info.studied = true;
  info.knows = is_study_variant;
  info.variants = backprojectors;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return make_study_backprojector(dynamic_cast<CudaBackend&>(backend), grid, scan, options);
  };
  return info;
}

ProjectorInfo studied_lines() {
  ProjectorInfo info;
  info.model = Model::lines_of_response;
  info.device = "cuda";
  info.studied = true;
  info.knows = [](const std::string&) { return true; };  // line_variant() checks the name
  info.make_lines = [](Backend& backend, const VolumeGrid& grid, const LineList& lines, const LineOptions& options) {
    return make_line_operator(dynamic_cast<CudaBackend&>(backend), grid, lines, options, line_variant(options.variant));
  };
  return info;
}

}  // namespace
}  // namespace cuda

void register_cuda_studies() {
  static const bool once = [] {
    register_projector(cuda::studied_backprojectors());
    register_projector(cuda::studied_lines());
    register_projector(cuda::studied_branchless_dd());
    register_projector(cuda::studied_sart_in_place());
    register_probes("cuda", [](Backend& backend) -> std::unique_ptr<ProbedDevice> {
      return std::make_unique<cuda::CudaProbes>(dynamic_cast<cuda::CudaBackend&>(backend));
    });
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace backlit
