// Volumes and scans larger than a budget of device memory against the same in one piece.
#include <backlit/device/box.hpp>
#include <backlit/geometry/trajectory.hpp>
#include "support/cuda.hpp"
#include "support/follow_reference.hpp"
#include "support/lines.hpp"
#include "support/relative_l2.hpp"
#include "support/tiled_penalty.hpp"

using namespace backlit;
using Catch::Matchers::Contains;
using test::random_values;
using test::relative_l2;

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
  for (const auto& [model, precision] :
       {std::pair(Model::voxel_driven, Precision::exact), std::pair(Model::joseph, Precision::exact),
        std::pair(Model::raycast, Precision::exact), std::pair(Model::raycast, Precision::fast)}) {
    CtOptions options;
    options.model = model;
    options.precision = precision;
    const Result whole = run(*backend, options), cut = run(*parts, options);
    INFO(cut.variant << ": " << relative_l2(cut.views, whole.views));
    CHECK_THAT(whole.variant, !Contains("tiles="));
    CHECK_THAT(cut.variant, Contains("tiles="));
    CHECK(relative_l2(cut.volume, whole.volume) < 1e-6);
    CHECK(relative_l2(cut.views, whole.views) < 1e-6);
  }
}

TEST_CASE("slices of a part of the grid are met where those of the whole are") {
  BACKLIT_REQUIRE_CUDA(backend);
  const CtOptions options{.model = Model::joseph, .precision = Precision::exact};
  Scan many = scan();
  many.views = circular_views(detector, equal_angles(72, 10), 200, 310);  // too many rays to share them out
  const Box box{{5, 7, 11}, {20, 31, 40}};
  const auto whole = backend->make_ct(grid, many, options),
             part = backend->innermost().make_tile(grid, {{0, 0, 0}, box.size}, many, options);
  REQUIRE(part->move_by(box.first));
  const auto x = whole->make_domain(), y = whole->make_range(many.view_count()), seen = part->make_domain(),
             shown = part->make_range(many.view_count());
  std::vector<float> all(static_cast<std::size_t>(x->count())), some(static_cast<std::size_t>(seen->count())),
      expected(some.size()), views(static_cast<std::size_t>(y->count())), wanted(views.size());
  backend->upload(random_values(y->count(), 3), *y);
  whole->back(*y, *x, whole->all(), Write::overwrite);
  part->back(*y, *seen, part->all(), Write::overwrite);
  backend->download(*x, all);
  backend->download(*seen, some);
  read_box(all, x->shape(), box, expected);
  CHECK(some == expected);
  std::fill(all.begin(), all.end(), 0.0f);
  write_box(all, x->shape(), box, some);
  backend->upload(all, *x);
  whole->forward(*x, *y, whole->all(), Write::overwrite);
  part->forward(*seen, *shown, part->all(), Write::overwrite);
  backend->download(*y, wanted);
  backend->download(*shown, views);
  CHECK(relative_l2(views, wanted) < 1e-6);
  const Subset few{1, 5, 7};  // few enough
  whole->forward(*x, *y, few, Write::overwrite);
  part->forward(*seen, *shown, few, Write::overwrite);
  backend->download(*y, wanted);
  backend->download(*shown, views);
  CHECK(relative_l2(views, wanted) < 1e-6);
}

TEST_CASE("iterations within a budget are those of the whole device") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto parts = within(budget);
  for (const char* method : {"sirt", "ossart", "cgls", "osem"}) {
    const auto whole = reconstruct(*backend, method), cut = reconstruct(*parts, method);
    INFO(method << ": " << cut.variant);
    CHECK_THAT(cut.variant, Contains("tiles="));
    CHECK(relative_l2(cut.volume, whole.volume) < 1e-5);
  }
}

TEST_CASE("penalties within a budget are those of the whole device") {
  BACKLIT_REQUIRE_CUDA(backend);
  test::check_tiled_penalties(within, 1e-4);
}
