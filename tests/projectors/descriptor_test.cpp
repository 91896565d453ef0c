// Descriptors: what they state is what projectors do, and what they do not list is refused.
#include <backlit/recon/method.hpp>
#include "support/paths.hpp"
#include "support/projectors/descriptors.hpp"
#include "support/projectors/projector_table.hpp"

using namespace backlit;
using Catch::Contains;

TEST_CASE("Every projector of the CPU is what its descriptor states") {
  const auto backend = make_backend("cpu");
  CHECK(test::check_descriptors(*backend) == 9);
}

TEST_CASE("What the projectors of the CPU refuse is known without making them") {
  const auto backend = make_backend("cpu");
  CHECK(test::check_refusals(*backend) > 0);
}

TEST_CASE("Choices that a projector does not list are refused, with where they can be had") {
  const auto backend = make_backend("cpu");
  const test::CtCase c = test::descriptor_cases()[1];
  const auto make = [&](const CtOptions& o) { backend->make_ct(c.grid, c.scan, o); };
  CHECK_THROWS_WITH(make({.model = Model::voxel_driven, .shader = Shader::mp}),
                    "shader: voxel_driven on the cpu backend has no such choice; leave it out, or use `backend` gl");
  CHECK_THROWS_WITH(make({.model = Model::joseph, .step = 1}),
                    "step: joseph on the cpu backend has no such choice; leave it out, or use `model` raycast");
  CHECK_THROWS_WITH(make({.model = Model::siddon, .stack = StackChoice::view}), Contains("use `model` joseph"));
  CHECK_THROWS_WITH(make({.model = Model::joseph, .variant = "by hand"}),
                    "variant: the cpu backend does not offer 'by hand'; it offers stack=ray, stack=view");
}

TEST_CASE("Methods declare the choices of the projectors that they use, and what others need") {
  const auto needs = [](const Method& method, const std::string& option) {
    Method copy = method;
    Parameters all = copy.parameters();
    return find_parameter(all, option).needs;
  };
  CHECK(needs("fdk", "shader").empty());
  CHECK(needs("fdk", "stack") == "`model` joseph");
  Method sirt("sirt");
  CHECK(needs(sirt, "shader") == "`back_model` voxel_driven");
  CHECK_FALSE(Method("cgls").has("shader"));  // it has no back model
  CHECK(needs(sirt, "stack").empty());
  sirt.set("back_model", "voxel_driven");
  CHECK(needs(sirt, "shader").empty());
  sirt.set("model", "raycast");
  CHECK(needs(sirt, "stack") == "`model` joseph");
  CHECK(needs("ifdk", "shader").empty());
  CHECK(needs("ifdk", "stack").empty());
  sirt.set("stack", "view");
  CHECK_THROWS_WITH(check(sirt), "stack: needs `model` joseph with `method` sirt");
}

TEST_CASE("The documented table of projectors is that of the descriptors") {
  test::check_projector_table({"cpu", "gl"});
}
