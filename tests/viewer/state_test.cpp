// The state of the viewer: declared once, saved and restored, undone.
#include <catch2/catch.hpp>

#include <fstream>

#include <backlit/core/error.hpp>
#include "model/actions/history.hpp"
#include "model/state_file.hpp"
#include "support/io/damage.hpp"
#include "support/scratch.hpp"
#include "viewer/changed_state.hpp"

using namespace backlit;
using namespace backlit::viewer;
using backlit::test::changed_everywhere;
using Catch::Contains;

namespace {

std::string error_of(const std::string& toml) {
  try {
    state_from_toml(toml, "s.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("A session keeps every value, and says nothing of what is as it comes") {
  const ViewState s = changed_everywhere();
  CHECK_FALSE(s == ViewState{});
  CHECK(state_from_toml(to_toml(s), "s.toml") == s);
  CHECK(state_from_toml(to_toml(ViewState{}), "s.toml") == ViewState{});
  CHECK(to_toml(ViewState{}).find('[') == std::string::npos);
}

TEST_CASE("A session is found again from where it lies") {
  const test::Scratch folder;
  std::filesystem::create_directories(folder / "data");
  ViewState s;
  s.path = (folder / "data/tooth.scan.toml").string();
  save_state(s, folder / "one.toml");
  std::filesystem::rename(folder / "one.toml", folder / "two.toml");
  CHECK(load_state(folder / "two.toml").path == s.path);
  s.path = "/elsewhere/x.mha";
  save_state(s, folder / "one.toml");
  CHECK(load_state(folder / "one.toml").path == s.path);
}

TEST_CASE("What is wrong in a session is told by line, key and remedy") {
  CHECK_THAT(error_of("[camera]\nzom = 2\n"), Contains("s.toml:2") && Contains("did you mean zoom?"));
  CHECK_THAT(error_of("[display]\nshaded = 1\n"), Contains("s.toml:2") && Contains("true or false"));
  CHECK_THAT(error_of("[camera]\nzoom = 0\n"), Contains("s.toml:2") && Contains("outside"));
  CHECK_THAT(error_of("[layout]\ntheme = \"pink\"\n"), Contains("dark, light"));
  CHECK_THAT(error_of("[[measurement]]\nkind = \"angle\"\npoints = [1.0, 2.0]\n"), Contains("9"));
  CHECK_THAT(error_of("[[measurement]]\nkind = \"area\"\n"), Contains("distance, angle, profile, region or note"));
  CHECK_THAT(error_of("[display]\ntransfer = \"custom\"\ntransfer_text = \"nonsense\"\n"), Contains("transfer_text"));
  CHECK_THAT(error_of("[display]\niso_color = \"red\"\n"), Contains("iso_color") && Contains("hexadecimal"));
  CHECK_THAT(error_of("[[surface]]\ncolor = \"#12\"\n"), Contains("hexadecimal"));
  CHECK_THAT(error_of("[[surface]]\nopacity = 2.0\n"), Contains("opacity is 0 to 1"));
  CHECK_THAT(error_of("[[surface]]\n[[surface]]\n[[surface]]\n[[surface]]\n[[surface]]\n"), Contains("too many"));
  CHECK_THAT(error_of("[camera\n"), Contains("s.toml:1"));
  const test::Scratch folder;
  CHECK_THROWS_WITH(load_state(folder / "none.toml"), Contains("no such file"));
  CHECK_THROWS_WITH(load_state(folder.path()), Contains("a folder"));
}

TEST_CASE("A damaged session is refused or read, and never worse") {
  int refused = 0;
  for (const test::Damaged& damaged : test::damaged_copies(to_toml(changed_everywhere()), 2000)) {
    INFO(damaged.how);
    try {
      check(state_from_toml(damaged.bytes, "s.toml"));
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 500);
}

TEST_CASE("Undo and redo go through edits, drags are one step") {
  History h;
  const auto start = History::Clock::now();
  const auto zoom = [&](double z, int after_ms) {
    ViewState s = h.now();
    s.camera.zoom = z;
    h.edit(s, "zoom", start + std::chrono::milliseconds(after_ms));
  };
  zoom(2, 0);
  zoom(3, 100);
  zoom(4, 550);  // less than half a second after the previous change
  h.end_drag();
  zoom(5, 600);
  zoom(5, 610);  // no change, no undo step
  CHECK(h.undo_name() == "zoom");
  REQUIRE(h.undo());
  CHECK(h.now().camera.zoom == 4);
  REQUIRE(h.undo());
  CHECK(h.now().camera.zoom == 1);
  CHECK_FALSE(h.undo());
  REQUIRE(h.redo());
  REQUIRE(h.redo());
  CHECK(h.now().camera.zoom == 5);
  CHECK_FALSE(h.redo());
  REQUIRE(h.undo());
  zoom(9, 5000);
  CHECK_FALSE(h.redo());  // a new edit clears the redo steps
  h.end_drag();
  for (int i = 0; i < 3; ++i) {  // a button held during slow frames
    h.hold();
    zoom(20 + i, 6000 + 900 * i);
  }
  h.end_drag();
  REQUIRE(h.undo());
  CHECK(h.now().camera.zoom == 9);
  for (int i = 0; i < 500; ++i) zoom(10 + i, 10000 + 1000 * i);
  int steps = 0;
  while (h.undo()) ++steps;
  CHECK(steps == static_cast<int>(History::most_steps));
}

TEST_CASE("Recent files: newest first, each once, across runs, never an error") {
  const test::Scratch folder;
  const auto file = folder / "config/recent.txt";
  {
    RecentFiles recent(file);
    for (int i = 0; i < 20; ++i) recent.add("/data/" + std::to_string(i) + ".mha");
    recent.add("/data/15.mha");
  }
  const RecentFiles again(file);
  REQUIRE(again.files().size() == RecentFiles::most);
  CHECK(again.files()[0] == "/data/15.mha");
  CHECK(again.files()[1] == "/data/19.mha");
  RecentFiles unwritable("/proc/none/recent.txt");
  unwritable.add("/data/1.mha");
  CHECK(unwritable.files().size() == 1);
}

TEST_CASE("Measurements are what they are called") {
  CHECK(measured({Measurement::Kind::distance, {Vec3(0), Vec3(3, 4, 0)}}) == 5);
  CHECK(measured({Measurement::Kind::angle, {Vec3(2, 0, 0), Vec3(0), Vec3(0, 0, 5)}}) == Approx(90));
  CHECK(measured({Measurement::Kind::angle, {Vec3(0), Vec3(0), Vec3(0)}}) == 0);
  CHECK(measured({Measurement::Kind::region, {Vec3(1, 2, 3), Vec3(0)}}) == Approx(6));
}

TEST_CASE("Only what changes the result asks for another reconstruction") {
  ViewState a, b;
  b.camera.zoom = 3;
  b.display.low = -1;
  b.recon.interval = 3;
  CHECK(same_reconstruction(a, b));
  b.geometry.center_shift = 0.5;
  CHECK_FALSE(same_reconstruction(a, b));
  b = a;
  b.recon.method.get<FdkOptions>()->filter.cutoff = 0.5;
  CHECK_FALSE(same_reconstruction(a, b));
  b = a;
  b.grid.voxel = 0.5;
  CHECK_FALSE(same_reconstruction(a, b));
}
