// Actions as text, and scripts of them.
#include <cstdlib>
#include <set>

#include <backlit/core/error.hpp>
#include "model/actions/random_actions.hpp"
#include "model/actions/script.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;
using test::Windowless;

namespace {

std::string refusal(const std::string& line) {
  try {
    parse_action(line, "x:1");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Runs a script to its end; returns its error, or "".
std::string run(Windowless& w, const std::string& text) {
  Script script(text, "test.script");
  try {
    w.until([&] { return !script.step(w.model); });
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Every row of the action table is complete, and its name unlike others'") {
  std::set<std::string> names, shortcuts;
  for (const ActionInfo& info : action_table()) {
    INFO(info.name);
    CHECK(names.insert(info.name).second);
    CHECK_FALSE(info.help.empty());
    CHECK(info.run);
    CHECK(info.least <= info.most);
    if (!info.shortcut.empty()) {
      CHECK(info.least == 0);
      CHECK(shortcuts.insert(info.shortcut).second);
    }
  }
  CHECK(names.size() > 60);
}

TEST_CASE("Menus offer what has an effect now") {
  Windowless w;
  const std::set<std::string> always{"toggle segment", "pin file"};
  for (const ActionInfo& info : action_table()) {
    INFO(info.name);
    if (info.menu.starts_with("Tools") || info.menu.starts_with("Reconstruction"))
      CHECK(possible(w.model, info.name) == always.contains(info.name));
  }
  CHECK_FALSE(possible(w.model, "undo"));
  CHECK(run(w,
            "set follow off\nopen demo:spheres\nwait done\ncrosshair 1 2 3\nreconstruct\nwait done\npin\nwait done\n"
            "measure profile -60 0 0 60 0 0\n") == "");
  for (const char* name :
       {"undo", "reconstruct", "unpin", "flip", "measure clear", "tool distance", "export profile", "layout centers"}) {
    INFO(name);
    CHECK(possible(w.model, name));
  }
  for (const char* name : {"pause", "step", "clip clear", "export path", "export oblique", "redo"}) {
    INFO(name);
    CHECK_FALSE(possible(w.model, name));
  }
}

TEST_CASE("Actions are read and written as text") {
  CHECK_FALSE(parse_action("  # nothing", "x"));
  CHECK(*parse_action("window 0 0.03  # bone", "x") == Action{"window", {"0", "0.03"}});
  CHECK(*parse_action("export turntable 8 turn_##.png # so", "x") == Action{"export turntable", {"8", "turn_##.png"}});
  CHECK(*parse_action("export volume \"a b.mha\"", "x") == Action{"export volume", {"a b.mha"}});
  for (const Action& a : {Action{"open", {"a \"b\" #\\ c"}}, Action{"open", {""}}, Action{"undo"}})
    CHECK(*parse_action(text(a), "x") == a);
  CHECK_THAT(refusal("windw 0 1"), Contains("x:1") && Contains("did you mean window?"));
  CHECK_THAT(refusal("crosshair 1 2"), Contains("2 arguments") && Contains("write: crosshair X Y Z"));
  CHECK_THAT(refusal("open \"a"), Contains("not closed"));
  CHECK_THAT(refusal("precision half"), Contains("write: set precision half"));
  CHECK_THAT(refusal("iterations"), Contains("write: set iterations VALUE"));  // fdk has none
  CHECK_THAT(refusal("measure nosuch 1"), Contains("no 'measure nosuch'") && Contains("measure distance, "));
}

TEST_CASE("An action that cannot be done says why and changes nothing") {
  Windowless w;
  const ViewState before = w.model.state();
  const auto error = [&](const std::string& line) {
    try {
      w.act(line);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(error("crosshair 1 2 x"), Contains("'x' is not a number"));
  CHECK_THAT(error("window 2 1"), Contains("not below"));
  CHECK_THAT(error("window 1% 2%"), Contains("no volume yet"));
  CHECK_THAT(error("window 0"), Contains("write: window [LOW HIGH]"));
  CHECK_THAT(error("zoom 0"), Contains("positive"));
  CHECK_THAT(error("enlarge x"), Contains("no pane 'x'"));
  CHECK_THAT(error("set zom 2"), Contains("did you mean zoom?"));
  CHECK_THAT(error("set zoom -1"), Contains("outside"));
  CHECK_THAT(error("map pink"), Contains("choose one of"));
  CHECK_THAT(error("reconstruct"), Contains("no projections"));
  CHECK_THAT(error("screenshot a.png"), Contains("takes a window"));
  CHECK_THAT(error("load session nowhere.toml"), Contains("no such file"));
  CHECK_THAT(error("clip 0 0 0 0 0 0"), Contains("zero"));
  CHECK_THAT(error("recent 3"), Contains("there are 0"));
  CHECK(w.model.state() == before);
}

TEST_CASE("A script drives everything and tells the line that fails") {
  Windowless w;
  const std::string session = (w.folder / "s.toml").string();
  CHECK(run(w,
            "open demo:spheres\nwait done\nexpect generation > 2\nexpect views == 60\n"
            "window 0 0.03\nexpect high == 0.03\ncrosshair 1 2 3\nmap viridis\nexpect map is viridis\n"
            "view 7\nwait done\nexpect mismatch < 0.2\n"
            "set center_shift 2\nwait done\nexpect runs >= 2\nview 7\nwait done\n"
            "measure distance 0 0 0 3 4 0\nexpect measured == 5\nsave session " +
                session +
                "\n"
                "undo\nexpect measured != 5\nredo\nexpect measured == 5\n") == "");
  const ViewState kept = w.model.state();
  CHECK(run(w, "reset geometry\nmap gray\nlayout volume\nwait done\nload session " + session + "\nwait done\n") == "");
  CHECK(w.model.state() == kept);
  CHECK_THAT(run(w, "\n\nexpect zoom == 77\n"), Contains("test.script:3") && Contains("zoom is 1"));
  CHECK_THAT(run(w, "open nowhere.scan.toml\nwait done\nmap gray\n"), Contains("test.script:3") && Contains("nowhere"));
  CHECK(run(w, "expect error contains nowhere\nexpect errors == 0\nexpect views == 60\n") == "");
  CHECK(run(w, "open demo:spheres\nreconstruct\nwait done\nexpect views == 60\n") == "");  // waits for the file
  CHECK_THROWS_WITH(Script("window 0 1\nwindoe\n", "a.script"), Contains("a.script:2"));
}

TEST_CASE("Text grows and shrinks, and the theme turns, by actions that menus and keys have") {
  Windowless w;
  w.act("text larger");
  w.act("text larger");
  CHECK(w.model.state().layout.font_scale == Approx(1.21));
  w.act("text smaller");
  CHECK(w.model.state().layout.font_scale == Approx(1.1));
  for (int i = 0; i < 40; ++i) w.act("text larger");
  CHECK(w.model.state().layout.font_scale == 4);
  w.act("text normal");
  CHECK(w.model.state().layout.font_scale == 1);
  w.act("toggle theme");
  CHECK(w.model.state().layout.theme == "light");
  w.act("undo");
  CHECK(w.model.state().layout.theme == "dark");
}

TEST_CASE("Random actions, the same for a seed, break nothing") {
  const int count = std::getenv("BACKLIT_RANDOM_ACTIONS") ? std::atoi(std::getenv("BACKLIT_RANDOM_ACTIONS")) : 120;
  Windowless w;
  std::mt19937 random(7), again(7);
  CHECK(text(random_action(w.model, random)) == text(random_action(w.model, again)));
  w.act("open demo:spheres");
  w.act("grid 24");
  for (int i = 0; i < count; ++i) {
    const Action action = random_action(w.model, random);
    INFO(i << ": " << text(action));
    CHECK(*parse_action(text(action), "x") == action);
    w.model.try_apply(action);
    w.model.update();
    w.model.begin_frame();
    w.model.end_frame();
  }
  w.act("cancel");     // the last run may be a long one
  CHECK(w.until([&] {  // a run that is paused at last waits for ever
    if (w.model.status().paused) w.act("resume");
    return w.model.idle();
  }));
  CHECK(state_from_toml(to_toml(w.model.state()), "s") == w.model.state());
  w.model.dismiss_errors();
  CHECK(
      run(w, "method fdk\nreset geometry\nopen demo:spheres\nwait done\nexpect errors == 0\nexpect generation > 0\n") ==
      "");
}

TEST_CASE("A session is among the recent files, and is opened from there") {
  Windowless w;
  const std::string session = (w.folder / "Mine.TOML").string();
  w.act("map heat");
  w.act("save session " + session);
  w.act("map gray");
  REQUIRE(w.model.recent() == std::vector{session});
  w.act("recent 1");
  CHECK(w.model.state().display.map == "heat");
  w.act("map gray");
  w.act("open " + session);
  CHECK(w.model.state().display.map == "heat");
  CHECK(w.model.recent() == std::vector{session});
}

TEST_CASE("Layouts are kept under names, used again, and stay when a session without them is loaded") {
  Windowless w;
  w.act("save session " + (w.folder / "plain.toml").string());
  w.act("layout slices");
  w.act("set column_share 0.7");
  w.act("set left_width 250");
  w.act("toggle oblique on");
  w.act("layout save \"my own\"");
  w.act("layout four");
  w.act("set column_share 0");
  w.act("toggle oblique off");
  w.act("load session " + (w.folder / "plain.toml").string());
  REQUIRE(w.model.state().layouts.size() == 1);
  w.act("layout use \"my own\"");
  CHECK(w.model.state().layout.panes == "slices");
  CHECK(w.model.state().layout.column_share == 0.7);
  CHECK(w.model.state().layout.left_width == 250);
  CHECK(w.model.state().oblique.shown);
  w.act("undo");
  CHECK(w.model.state().layout.panes == "four");
  CHECK_THROWS_WITH(w.act("layout use other"), Contains("my own"));
  w.act("layout volume");
  w.act("layout save \"my own\"");  // in its place
  REQUIRE(w.model.state().layouts.size() == 1);
  CHECK(w.model.state().layouts[0].panes == "volume");
  w.act("layout forget \"my own\"");
  CHECK(w.model.state().layouts.empty());
  CHECK_THROWS_WITH(w.act("layout use other"), Contains("layout save NAME"));
  CHECK_THROWS_AS(w.act("layout save \"\""), InputError);
}
