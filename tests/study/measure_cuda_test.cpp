// CUDA's part of a study: ceilings that run, and every way that the backend names made and right.
#include <catch2/catch.hpp>

#include <set>

#include "cuda/device/cuda_backend.hpp"
#include "study/candidates/ct_candidates.hpp"
#include "study/cuda/probes.hpp"
#include "support/cuda.hpp"

namespace backlit {
namespace {

TEST_CASE("Every probe of CUDA runs") {
  BACKLIT_REQUIRE_CUDA(backend);
  cuda::CudaProbes device(dynamic_cast<cuda::CudaBackend&>(backend->innermost()));
  std::set<std::string> names;
  for (const DeviceProbe& probe : device.probes(1 << 20)) {
    INFO(probe.name);
    probe.run();
    backend->finish();
    CHECK(probe.work > 0);
    CHECK(names.insert(probe.name).second);
  }
  for (const char* name : {"bilinear r32f", "bilinear rgba16f, step 2.5", "trilinear r32f", "fma", "copy"})
    CHECK(names.contains(name));
  CHECK(device.facts().size() > 5);
}

TEST_CASE("Every way that CUDA names is made, and right") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto shared = std::make_shared<SharedCase>(study_case(32, 16), "cube32 x 16 views");
  StudyGroup group;
  for (const CtOptions& o : backend->innermost().variants(Model::voxel_driven))
    group.push_back(backprojection_candidate(*backend, shared, o, 0));
  const auto projected = std::make_shared<SharedCase>(shared->bench, shared->workload);
  for (const Model model : {Model::joseph, Model::raycast, Model::distance_driven, Model::branchless_dd})
    for (const CtOptions& o : backend->innermost().variants(model))
      group.push_back(projection_candidate(*backend, projected, o, "projection"));
  CHECK(group.size() > 35);
  measure(group, {.least = 1, .most = 1, .seconds = 0, .sample_seconds = 0}, {});
  for (const Candidate& c : group) {
    INFO(c.cell.key() << ": " << c.cell.note);
    CHECK(c.cell.status == StudyCell::Status::ok);
  }
}

}  // namespace
}  // namespace backlit
