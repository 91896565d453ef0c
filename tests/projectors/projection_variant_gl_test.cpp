// Every variant of projection that the backend lists against the same model, and the same stacks, in double precision.
#include <map>

#include "device/gl/gl_backend_class.hpp"
#include "study/bench/bench_data.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"

using Catch::Matchers::StartsWith;

namespace backlit::gl {
namespace {

/// Quarter turns, and a few views each of a cone with a tilted detector, of parallel rays and of a curved detector.
std::vector<Case> several() {
  std::vector<Case> some{quarter_turns(21, false)};
  for (const std::size_t i : {2u, 5u, 11u}) {
    Case& c = some.emplace_back(cases()[i]);
    std::erase_if(c.scan.views, [&](const View& v) { return (&v - c.scan.views.data()) % 6 != 0; });
  }
  return some;
}

/// Packings that a geometry does not allow, by name.
bool excluded(const Case& c, Packing packing) {
  return (packing == Packing::orbit && c.name != "quarter turns") ||
         (packing == Packing::slices && c.name == "tilted and offset");
}

/// Relative L2. Ray casting in single precision may take a step more or less than in double.
double limit(const CtOptions& o) {
  if (o.precision == Precision::half) return 2e-3;
  if (o.model == Model::raycast) return 1e-3;
  const bool hardware = o.model == Model::joseph && o.precision == Precision::fast;
  return hardware ? 1e-3 : 2e-5;
}

}  // namespace

TEST_CASE("Every variant of projection that has a name gives the images of double precision") {
  GlBackend backend(test_context());
  int made = 0, refused = 0;
  for (const Case& c : several()) {
    std::map<std::pair<Model, std::string>, Pair> truths;
    for (const Model model : {Model::joseph, Model::raycast, Model::siddon, Model::blob})
      for (CtOptions o : backend.variants(model)) {
        INFO(c.name << ", " << name(model) << ", " << name(o.precision) << ", " << name(o.packing) << ", "
                    << o.variant);
        if (excluded(c, o.packing)) {
          CHECK_THROWS_WITH(backend.make_ct(c.grid, c.scan, o), StartsWith("packing "));
          ++refused;
          continue;
        }
        const auto ct = backend.make_ct(c.grid, c.scan, o);
        const std::string in_double = stack_of(o, ct->variant()) == StackChoice::view ? "stack=view" : "";
        const auto [truth, fresh] = truths.try_emplace({model, in_double});
        if (fresh) truth->second = reference(c, model, o.step, in_double);
        const ArrayPtr x = ct->make_domain(), y = ct->make_range(c.scan.view_count());
        backend.upload(truth->second.volume, *x);
        ct->forward(*x, *y, ct->all(), Write::overwrite);
        std::vector<float> images(truth->second.forward.size());
        backend.download(*y, images);
        CHECK(relative_l2(images, truth->second.forward) < limit(o));
        ++made;
      }
    backend.context().check();
  }
  CHECK(made + refused == 4 * 62);
  CHECK(refused == 3 * 10 + 12);
}

}  // namespace backlit::gl
