// A view at a time through the volume's own slices against all views through copied stacks.
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"

namespace backlit::gl {
namespace {

TEST_CASE("Projecting one view of a changed volume needs no copy of it and gives the same") {
  GlBackend backend(test_context());
  backend.time_passes(true);
  for (const Case& c : cases()) {
    INFO(c.name);
    const CtOptions options{.model = Model::joseph, .packing = Packing::none, .variant = "draw=compute"};
    const auto a = backend.make_ct(c.grid, c.scan, options);
    const auto x = a->make_domain(), all = a->make_range(c.scan.view_count()), one = a->make_range(c.scan.view_count());
    backend.upload(random_values(c.grid.voxels(), 3), *x);
    for (std::int64_t v = 0; v < c.scan.view_count(); v += 3) a->forward(*x, *one, {v, 1, 1}, Write::overwrite);
    a->forward(*x, *all, {0, (c.scan.view_count() + 2) / 3, 3}, Write::overwrite);
    std::vector<float> got(static_cast<std::size_t>(one->count())), wanted(got.size());
    backend.download(*one, got);
    backend.download(*all, wanted);
    // Hardware rounds products of two shares; here it takes one of them, and the other is taken in fp32.
    CHECK(relative_l2(got, wanted) < (backend.context().limits().software ? 1e-6 : 1e-3));
  }
  CHECK(backend.pass_times().contains("project along x, direct"));
  CHECK(backend.pass_times().contains("project along y, direct"));
  backend.context().check();
}

}  // namespace
}  // namespace backlit::gl
