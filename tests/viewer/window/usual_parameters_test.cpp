// The usual parameters of each method are visible at once, and random actions change them too.
#include <set>

#include "model/actions/random_actions.hpp"
#include "viewer/viewer_support.hpp"
#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;

TEST_CASE("Subsets, relaxation and regularisation are among the usual parameters of the methods that take them") {
  REQUIRE_VIEWER();
  const std::vector<std::pair<std::string, std::vector<std::string>>> usual{
      {"pwls", {"iterations", "subsets", "penalty", "strength", "penalty_edge", "weights"}},
      {"ossart", {"iterations", "subsets", "relaxation", "nonnegative"}},
      {"osem", {"iterations", "subsets"}},
      {"mlem", {"iterations"}},
      {"sart", {"iterations", "relaxation", "nonnegative"}},
      {"sirt", {"iterations", "relaxation"}},
      {"fista", {"subsets", "relaxation"}},
      {"fdk", {"filter", "cutoff", "interval"}},
      {"hfdk", {"filter", "cutoff"}}};
  std::string script = "set font_scale 0.5\nresize 600 450\nset follow off\nopen demo:spheres\nwait done\n";
  for (const auto& [method, names] : usual) {
    script += "method " + method + "\nwait frames 3\n";
    for (const std::string& name : names) script += "screenshot " + method + "_" + name + ".png " + name + "\n";
    script += "wait frames 2\nexpect errors == 0\nscreenshot hidden.png checkpoint\nwait frames 2\n" +
              std::string("expect error contains \"no 'checkpoint'\"\n");
  }
  Viewer viewer;
  viewer.succeed(script);
  CHECK(viewer.shot("pwls_strength").width > 40);
}

TEST_CASE("Random input turns what iterations take, and nothing that their method refuses") {
  Windowless w;
  std::mt19937 random(5);
  std::set<std::string> methods, parameters;
  for (int i = 0; i < 60000; ++i) {
    const viewer::Action action = viewer::random_action(w.model, random);
    if (action.name == "method") methods.insert(action.arguments[0]);
    if (action.name == "set") parameters.insert(action.arguments[0]);
    if (action.name != "method" && action.name != "set") continue;
    REQUIRE(w.model.try_apply(action));
    REQUIRE_NOTHROW(check(viewer::method_of(w.model.state().recon)));
  }
  for (const char* method : {"fdk", "sirt", "sart", "ossart", "osem", "mlem", "pwls", "fista", "cgls"}) {
    INFO(method);
    CHECK(methods.contains(method));
  }
  for (const char* name : {"iterations", "subsets", "relaxation", "nonnegative", "penalty", "weights", "strength",
                           "penalty_q", "penalty_edge", "center_shift", "filter"}) {
    INFO(name);
    CHECK(parameters.contains(name));
  }
}
