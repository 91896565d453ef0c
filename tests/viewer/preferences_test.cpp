#include "model/preferences.hpp"

#include <catch2/catch.hpp>

#include <fstream>

#include <backlit/core/error.hpp>
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;

TEST_CASE("Preferences come back as they were saved, and are none of a scan's") {
  test::Scratch folder;
  const auto file = folder.path() / "deep" / "preferences.toml";
  CHECK(load_preferences(file) == Preferences{});
  ViewState state;
  state.layout.theme = "light";
  state.layout.font_scale = 1.21;
  state.layout.show_panels = false;
  state.display.map = "viridis";
  state.display.water = 0.0193;
  state.display.air = 0.0004;
  state.display.low = 3;
  state.layout.panes = "slices";
  state.layouts = {named_layout(state, "mine")};
  save_preferences(preferences_of(state, "/data/my \"scans\""), file);
  const Preferences back = load_preferences(file);
  CHECK(back == preferences_of(state, "/data/my \"scans\""));
  ViewState other;
  apply(back, other);
  CHECK(other.layout.theme == "light");
  CHECK(other.display.water == 0.0193);
  CHECK(other.display.air == 0.0004);
  CHECK(other.display.low == ViewState{}.display.low);
  REQUIRE(other.layouts.size() == 1);
  CHECK(other.layout.panes == "four");
  arrange(other, other.layouts[0]);
  CHECK(other.layout.panes == "slices");
}

TEST_CASE("A damaged file of preferences is told of by name") {
  test::Scratch folder;
  const auto file = folder / "preferences.toml";
  for (const char* text : {"theme = \"mauve\"\n", "font_scale = 99\n", "nonsense", "colour = 3\n"}) {
    std::ofstream(file) << text;
    CHECK_THROWS_WITH(load_preferences(file), Contains("preferences.toml"));
  }
}
