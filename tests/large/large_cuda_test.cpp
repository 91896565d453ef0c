// Volumes and scans larger than a budget of device memory against the same in one piece.
#include <backlit/geometry/trajectory.hpp>
#include "support/cuda.hpp"
#include "support/projectors/lines.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/large_penalty.hpp"
#include "support/recon/recon_options.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using Catch::Matchers::Contains;
using test::random_values;
using test::relative_l2;

namespace large_cuda_test {
namespace {

const Detector detector{97, 79, 1.5, 1.2};
const VolumeGrid grid{{64, 60, 95}, {1.1, 1.1, 0.5}, {0, 0, -1}};
constexpr std::int64_t budget = 2 << 20;  // volume and views take 1.5 MB each

Scan scan() { return {detector, circular_views(detector, equal_angles(48, 10), 200, 310)}; }

std::unique_ptr<Backend> within(std::int64_t bytes) {
  BackendOptions options;
  options.memory_bytes = bytes;
  return make_backend("cuda", options);
}

struct Result {
  std::vector<float> volume, views;
  std::string variant;
};

/// Back and, but for voxel_driven, forward.
Result run(Backend& backend, const CtOptions& options) {
  backend.activate();
  const auto ct = backend.make_ct(grid, scan(), options);
  const auto x = ct->make_domain(), y = ct->make_range(scan().view_count());
  Result r;
  r.variant = ct->variant();
  backend.upload(random_values(y->count(), 3), *y);
  ct->back(*y, *x, ct->all(), Write::overwrite);
  r.volume.resize(static_cast<std::size_t>(x->count()));
  backend.download(*x, r.volume);
  if (options.model != Model::voxel_driven) ct->forward(*x, *y, ct->all(), Write::overwrite);
  r.views.resize(static_cast<std::size_t>(y->count()));
  backend.download(*y, r.views);
  return r;
}

test::ReconResult reconstruct(Backend& backend, const std::string& method) {
  ReconOptions options;
  options.method = method;
  options.precision = "exact";
  options.iterations = 2;
  options.subsets = method == "ossart" || method == "osem" ? 4 : 1;
  return test::reconstruct_head(backend, scan(), grid, options);
}

}  // namespace

TEST_CASE("within a budget the device gives what it gives in one piece") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto parts = within(budget);
  struct Way {
    Model model;
    Precision precision;
    double limit;
  };
  // Samples of ray casting begin anew in each slab: the difference is the sums' own, of noise.
  for (const auto& [model, precision, limit] :
       {Way{Model::voxel_driven, Precision::exact, 1e-5}, Way{Model::voxel_driven, Precision::fast, 2e-3},
        Way{Model::joseph, Precision::exact, 1e-5}, Way{Model::joseph, Precision::half, 2e-3},
        Way{Model::raycast, Precision::exact, 2e-2}, Way{Model::raycast, Precision::fast, 2e-2}}) {
    CtOptions options;
    options.model = model;
    options.precision = precision;
    const Result whole = run(*backend, options), cut = run(*parts, options);
    INFO(cut.variant << ": " << relative_l2(cut.views, whole.views));
    CHECK_THAT(whole.variant, !Contains("slabs="));
    CHECK_THAT(cut.variant, Contains("slabs="));
    CHECK(relative_l2(cut.volume, whole.volume) < limit);
    CHECK(relative_l2(cut.views, whole.views) < limit);
  }
}

TEST_CASE("iterations within a budget are those of the whole device") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto parts = within(budget);
  for (const char* method : {"sirt", "ossart", "cgls", "osem"}) {
    const auto whole = reconstruct(*backend, method), cut = reconstruct(*parts, method);
    INFO(method << ": " << cut.variant);
    CHECK_THAT(cut.variant, Contains("slabs="));
    CHECK(relative_l2(cut.volume, whole.volume) < 1e-4);
  }
}

TEST_CASE("penalties within a budget are those of the whole device") {
  BACKLIT_REQUIRE_CUDA(backend);
  test::check_large_penalties(within, 1e-4);
}

}  // namespace large_cuda_test
