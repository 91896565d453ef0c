// OpenGL's part of a study: ceilings that can be measured, and cells of every architecture that are right.
#include <set>

#include "backend/gl/gl_backend_class.hpp"
#include "gl_support.hpp"
#include "study/ceilings.hpp"
#include "study/ct_candidates.hpp"
#include "study/gl_probes.hpp"

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
  for (const char* name :
       {"fragment bilinear rgba16f", "compute bilinear r32f, step 2.5", "fragment trilinear r32f",
        "fragment blend r32f", "fragment blend r32f, one image", "fragment blend rgba32f, in cache",
        "fragment copy, layers of rgba32f", "compute copy", "compute fma", "fragment fma, 16 chains"})
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
  CHECK(count(3, "fetches") == Approx(16 * 16 * 16 * 2));
  if (GLEW_ARB_pipeline_statistics_query) CHECK(count(0, "fragments_drawn") >= 2 * 16 * 16 * 16);
  CHECK(group[4].cell.status == StudyCell::Status::unsupported);
  CHECK_THAT(group[4].cell.note, Catch::Matchers::Contains("use accumulate=blend or loop"));
}

}  // namespace
}  // namespace backlit::gl
