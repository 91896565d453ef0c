// What iterations may be asked for (orders, masks, starts, stops, checkpoints) on OpenGL against the same on the CPU.
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/recon/follow_reference.hpp"
#include "support/recon/recon_options.hpp"
#include "support/scratch.hpp"

namespace backlit::gl {
namespace {

bool has_subsets(const std::string& method) { return method == "ossart" || method == "osem"; }

ReconOptions options_of(const std::string& method) {
  ReconOptions o{.method = method, .iterations = 4};
  o.precision = "exact";
  if (has_subsets(method)) o.subsets = 5;
  return o;
}

void check_follows(GlBackend& backend, const ReconOptions& o, double limit = 1e-4) {
  const auto expected = test::reconstruct_head(*make_backend("cpu"), o), result = test::reconstruct_head(backend, o);
  INFO(o.method << ": " << relative_l2(result.volume, expected.volume));
  CHECK(relative_l2(result.volume, expected.volume) < limit);
  CHECK(result.residuals.size() == expected.residuals.size());
}

TEST_CASE("Orders of subsets, masks, bounds, relaxation and starts on OpenGL are the reference's") {
  GlBackend backend(test_context());
  for (const std::string method : {"sirt", "sart", "ossart", "fista", "cgls", "pcg", "mlem", "osem"}) {
    ReconOptions o = options_of(method);
    o.mask = "cylinder";
    if (method != "cgls" && method != "pcg") o.nonnegative = true;
    o.initial = "fdk";
    o.filter.force = true;
    check_follows(backend, o);
  }
  for (const std::string method : {"ossart", "osem"})
    for (const char* order : {"sequential", "golden"}) {
      ReconOptions o = options_of(method);
      o.subset_order = order;
      if (method == "ossart") o.relaxation = 0.4;
      check_follows(backend, o);
    }
  backend.context().check();
}

TEST_CASE("Iterations pack quarter turns where that is asked for, or say why they cannot") {
  GlBackend backend(test_context());
  backend.time_passes(true);
  VolumeGrid grid = test::head_grid();
  grid.size[1] = grid.size[0];
  const auto made = [&](ReconOptions o, const std::string& packing) {
    o.precision = "fast";
    o.packing = packing;
    o.variant = packing == "orbit" ? "" : "stack=view";
    return test::reconstruct_head(backend, test::head_scan(), grid, o);
  };
  const ReconOptions sirt{.method = "sirt", .iterations = 3}, ossart{.method = "ossart", .iterations = 2, .subsets = 5};
  for (const ReconOptions& o : {sirt, ossart}) {
    const auto plain = made(o, "none");
    CHECK_FALSE(backend.pass_times().contains("project packed"));
    const auto packed = made(o, "orbit");
    CHECK(backend.pass_times().at("project packed").calls >= static_cast<std::int64_t>(o.iterations * o.subsets));
    CHECK_THAT(packed.variant, Catch::Matchers::Contains("packing=orbit"));
    CHECK(relative_l2(packed.volume, plain.volume) < 1e-3);
    backend.time_passes(false);
    backend.time_passes(true);
  }
  ReconOptions uneven = ossart;
  uneven.subsets = 8;
  CHECK_THROWS_WITH(made(uneven, "orbit"),
                    "packing orbit: 8 subsets of 5 groups of quarter turns; use `packing` auto, or 5 subsets");
  CHECK_THROWS_WITH(made({.method = "sart"}, "orbit"),
                    "packing orbit: 20 subsets of 5 groups of quarter turns; use `packing` auto, or method ossart with "
                    "5 subsets");
  backend.time_passes(false);
  backend.context().check();
}

TEST_CASE("Iterations on OpenGL stop where the reference's do, and say why") {
  GlBackend backend(test_context());
  const auto cpu = make_backend("cpu");
  for (const bool by_noise : {false, true}) {
    ReconOptions o = options_of("cgls");
    o.iterations = 40;
    (by_noise ? o.noise : o.stop_residual) = by_noise ? 0.5 : 0.1;
    std::vector<std::vector<double>> residuals;
    for (Backend* one : {static_cast<Backend*>(&backend), cpu.get()}) {
      const auto recon = test::head_reconstruction(*one, test::head_scan(), test::head_grid(), o);
      while (recon->step() != Reconstruction::Status::finished) continue;
      CHECK_THAT(recon->stopped_by(), Catch::Matchers::Contains("residual"));
      residuals.emplace_back(recon->residuals().begin(), recon->residuals().end());
    }
    CHECK(residuals[0].size() == residuals[1].size());
    CHECK(residuals[0].size() > 2);
    CHECK(residuals[0].size() < 40);
  }
  backend.context().check();
}

TEST_CASE("Runs resumed on OpenGL are those that never stopped") {
  GlBackend backend(test_context());
  const test::Scratch folder;
  for (const std::string method : {"sirt", "sart", "ossart", "fista", "cgls", "pcg", "mlem", "osem"}) {
    ReconOptions o = options_of(method);
    const auto whole = test::reconstruct_head(backend, o);
    ReconOptions first = o, rest = o;
    first.iterations = 2;
    first.checkpoint = rest.resume = folder / "state.checkpoint";
    test::reconstruct_head(backend, first);
    const auto resumed = test::reconstruct_head(backend, rest);
    INFO(method << ": " << relative_l2(resumed.volume, whole.volume));
    CHECK(relative_l2(resumed.volume, whole.volume) < 1e-5);  // clocks cut views into blocks
    CHECK(resumed.residuals.size() == whole.residuals.size());
  }
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl
