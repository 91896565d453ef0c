// OpenGL's part of a study: ceilings that can be measured, and cells of every architecture that are right.
#include <set>

#include "device/gl/gl_backend_class.hpp"
#include "study/candidates/ct_candidates.hpp"
#include "study/candidates/picture_candidates.hpp"
#include "study/probes/ceilings.hpp"
#include "study/probes/gl_probes.hpp"
#include "support/gl/gl_support.hpp"

namespace backlit::gl {
namespace {

TEST_CASE("Every probe draws and computes without an error of OpenGL") {
  GlBackend backend(test_context());
  std::set<std::string> names;
  for (const DeviceProbe& probe : GlProbes(backend).probes(1 << 16)) {
    INFO(probe.architecture << " " << probe.name);
    probe.run();
    backend.finish();
    CHECK(probe.work > 0);
    CHECK(names.insert(probe.architecture + " " + probe.name).second);
  }
  for (const char* name : {"fragment bilinear rgba16f", "compute bilinear r32f, step 2.5", "fragment trilinear r32f",
                           "fragment blend r32f", "fragment blend r32f, one image", "fragment blend rgba32f, in cache",
                           "fragment copy, layers of rgba32f", "fragment zeros added to r32f", "compute copy",
                           "compute fma", "fragment fma, 16 chains"})
    CHECK(names.contains(name));
}

TEST_CASE("Variants are told by the architecture they stand for, with counts, and are right") {
  GlBackend backend(test_context());
  const auto shared = std::make_shared<SharedCase>(study_case(16, 8), "cube16 x 8 views");
  const auto make = [&](Precision precision, Packing packing, const char* variant) {
    CtOptions o;
    o.precision = precision;
    o.packing = packing;
    o.variant = variant;
    return backprojection_candidate(backend, shared, o, 0);
  };
  StudyGroup group{make(Precision::fast, Packing::none, "views=4"),
                   make(Precision::fast, Packing::none, "transform=fragment,views=4"),
                   make(Precision::fast, Packing::none, "kill=early_z,views=4"),
                   make(Precision::half, Packing::orbit, "draw=compute"),
                   make(Precision::fast, Packing::none, "kill=stencil,accumulate=ping_pong")};
  measure(group, {.least = 2, .most = 2, .seconds = 0, .sample_seconds = 0}, {});
  const char* names[] = {"AG-GPU", "MP-GPU", "AG-GPU+", "compute", "AG-GPU"};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const StudyCell& cell = group[i].cell;
    INFO(cell.key() << ": " << cell.note);
    CHECK(cell.architecture == names[i]);
    CHECK(cell.seconds.size() == (i < 4 ? 2u : 0u));
  }
  const auto count = [&](std::size_t i, const std::string& name) {
    for (const auto& [key, value] : group[i].cell.counts)
      if (key == name) return value;
    return 0.0;
  };
  CHECK(count(0, "passes") == 2);
  CHECK(count(0, "draw_calls") == 2);
  CHECK(count(0, "fetches") == Approx(16 * 16 * 16 * 8));
  // Rows above and below the head are 0: adding them may cost nothing.
  CHECK(count(0, "bytes") < 0.95 * 8 * 16 * 16 * 16 * 2);
  CHECK(count(0, "bytes") > 0.6 * 8 * 16 * 16 * 16 * 2);
  CHECK(count(3, "fetches") == Approx(16 * 16 * 16 * 2));
  if (GLEW_ARB_pipeline_statistics_query) CHECK(count(0, "fragments_drawn") >= 2 * 16 * 16 * 16);
  CHECK(group[4].cell.status == StudyCell::Status::unsupported);
  CHECK_THAT(group[4].cell.note, Catch::Matchers::Contains("use accumulate=blend or loop"));
}

TEST_CASE(
    "Pictures are the gl backend's, whichever backend is asked first, and those of all samples tell their fetches") {
  GlBackend gl(test_context());
  const auto cpu = make_backend("cpu");
  const auto shared = std::make_shared<SharedPictures>(study_case(16, 8), "cube16", 24);
  RenderVariant sampled{VolumeMode::mip, true, false, false, 1};
  StudyGroup group{render_candidate(gl, shared, sampled), render_candidate(*cpu, shared, {})};
  measure(group, {.least = 1, .most = 1, .seconds = 0, .sample_seconds = 0}, {});
  CHECK(group[0].cell.status == StudyCell::Status::ok);
  REQUIRE(group[0].demands.size() == 1);
  CHECK(group[0].demands[0].ceiling == "trilinear r32f");
  // The box fills 70 % of the picture's sides at most; no way through it is longer than its diagonal.
  CHECK(group[0].demands[0].amount > 1e-9 * 24 * 24 * 16 * 0.2);
  CHECK(group[0].demands[0].amount < 1e-9 * 24 * 24 * 28 * 0.49);
  CHECK(group[1].cell.status == StudyCell::Status::unsupported);
  CHECK_THAT(group[1].cell.note, Catch::Matchers::Contains("pictures are made by the gl backend"));
}

TEST_CASE("Slices that are carried to the detector are blended, which is a limit") {
  GlBackend backend(test_context());
  const auto shared = std::make_shared<SharedCase>(study_case(16, 12), "cube16 x 12 views");
  CtOptions o;
  o.model = Model::joseph;
  o.precision = Precision::fast;
  o.packing = Packing::none;
  o.variant = "draw=slices";
  StudyGroup group{projection_candidate(backend, shared, o, "projection")};
  measure(group, {.least = 1, .most = 1, .seconds = 0, .sample_seconds = 0}, {});
  const Candidate& c = group[0];
  CHECK(c.cell.status == StudyCell::Status::ok);
  double blended = 0, drawn = 0;
  for (const auto& [name, value] : c.cell.counts) {
    if (name == "bytes") blended = value / 8;
    if (name == "fragments_drawn") drawn = value;
  }
  CHECK(blended > 0.2 * 16 * 32 * 32 * 12);
  if (GLEW_ARB_pipeline_statistics_query) CHECK(blended <= drawn);  // no more than what was drawn
  CHECK(std::ranges::any_of(c.demands, [](const Demand& d) { return d.ceiling == "blend r32f"; }));
}

}  // namespace
}  // namespace backlit::gl
