// Commands that come from another program while the viewer runs, and their answers.
#include <cstdio>
#include <memory>

#include "viewer/window/window_support.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Contains;

namespace commands_test {

/// The answers to commands.
std::vector<std::string> answers(const Viewer& viewer, const std::string& lines) {
  std::ofstream(viewer.folder / "commands.txt") << lines;
  setenv("XDG_CONFIG_HOME", viewer.folder.path().c_str(), 1);
  const std::string run = "cd '" + viewer.folder.path().string() + "' && '" +
                          (program_dir() / "backlit-view").string() +
                          "' --offscreen --size 700x500 --commands < commands.txt";
  const std::unique_ptr<FILE, int (*)(FILE*)> out(popen(run.c_str(), "r"), pclose);
  REQUIRE(out);
  std::vector<std::string> all;
  char line[2048];
  while (std::fgets(line, sizeof line, out.get())) all.emplace_back(line, std::string(line).find('\n'));
  return all;
}

TEST_CASE("Each command is answered by a line, and one that fails ends nothing") {
  REQUIRE_VIEWER();
  const Viewer viewer;
  const auto said = answers(viewer,
                            "grid 24\nopen demo:spheres\nwait done\nget generation\nset center_shift wrong\n"
                            "set precision half\nget precision\nget volume\nfly\nopen nowhere.mha\nwait done\n"
                            "screenshot seen.png \"pane Axial\"\nscreenshot seen.png nothing\n"
                            "screenshot seen.png nothing\nquit\n");
  REQUIRE(said.size() == 15);
  for (const std::size_t i : {0, 1, 2, 5, 10, 11, 14}) CHECK(said[i] == "ok");
  CHECK(said[3].starts_with("ok "));
  CHECK(said[3] != "ok 0");
  CHECK_THAT(said[4], Contains("error: ") && Contains("'wrong'"));
  CHECK(said[6] == "ok half");
  CHECK(said[7] == "ok 24 × 24 × 24");
  CHECK_THAT(said[8], Contains("error: fly: no such action"));
  CHECK_THAT(said[9], Contains("error: nowhere.mha"));  // and no later command
  for (const std::size_t i : {12, 13}) CHECK_THAT(said[i], Contains("error: ") && Contains("nothing"));
  CHECK(viewer.shot("seen").width > 100);
}

TEST_CASE("Off screen the viewer ends with its commands, of which the last may lack a newline") {
  REQUIRE_VIEWER();
  const Viewer viewer;
  CHECK(answers(viewer, "set precision half\nget precision") == std::vector<std::string>{"ok", "ok half"});
}

}  // namespace commands_test
