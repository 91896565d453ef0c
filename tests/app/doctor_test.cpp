// What helps a newcomer: doctor, completion, the demo's commands.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/program.hpp"
#include "support/skip.hpp"

using namespace backlit::test;
using nlohmann::json;

TEST_CASE("doctor finds devices, memory, files and disk") {
  const TemporaryFolder folder;
  const auto r = run_backlit(folder.path(), {"doctor", "--json"});
  INFO(r.err);
  const json findings = json::parse(r.out).at("findings");
  const auto finding = [&](const char* subject) {
    const auto found =
        std::find_if(findings.begin(), findings.end(), [&](const json& f) { return f.at("subject") == subject; });
    REQUIRE(found != findings.end());
    return *found;
  };
  CHECK(finding("CPU").at("state") == "ok");
  CHECK(finding("files").at("state") == "ok");
  const json egl = finding("EGL");  // a version and its maker, or that there is none
  CHECK_THAT(egl.at("text").get<std::string>(),
             Catch::Contains(egl.at("state") == "ok" ? " by " : "no display can be opened"));
  CHECK_THAT(finding("memory").at("text").get<std::string>(), Catch::Contains("free of"));
  CHECK_THAT(finding("backlit").at("text").get<std::string>(), Catch::StartsWith("0."));
  const bool problems =
      std::any_of(findings.begin(), findings.end(), [](const json& f) { return f.at("state") == "problem"; });
  CHECK(r.code == (problems ? 1 : 0));
  for (const json& f : findings)
    if (f.at("state") == "problem") CHECK_FALSE(f.at("remedy").get<std::string>().empty());
  CHECK(folder.files().empty());

  const auto nowhere = run_backlit(folder.path(), {"doctor", "no-such-folder"});
  CHECK(nowhere.code == 2);
  CHECK_THAT(nowhere.err, Catch::Contains("no-such-folder"));
}

TEST_CASE("A report of a fault names version, build and devices") {
  const TemporaryFolder folder;
  const auto r = run_backlit(folder.path(), {"--version", "--verbose"});
  CHECK(r.code == 0);
  for (const char* subject : {"backlit ", "built in", "libraries  FFTW 3.", "system", "EGL", "CPU", "OpenGL"})
    CHECK_THAT(r.out, Catch::Contains(subject));
}

TEST_CASE("bash completes commands, flags and choices") {
  const TemporaryFolder folder;
  auto script = run_backlit(folder.path(), {"completion", "bash"});
  std::string function = "_backlit";
  REQUIRE(script.code == 0);
  const auto completed = [&](const std::string& words, int index) {
    const std::string ask = script.out + "COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(index) + "; " +
                            function + "; echo \"${COMPREPLY[@]}\"";
    const auto r = run_program("/bin/bash", folder.path(), {"-c", ask});
    INFO(r.err);
    CHECK(r.code == 0);
    return r.out;
  };
  CHECK(completed("backlit rec", 1) == "recon\n");
  CHECK(completed("backlit recon --voxe", 2) == "--voxel\n");
  CHECK(completed("backlit recon --precision h", 3) == "half\n");
  CHECK(run_backlit(folder.path(), {"completion", "fish"}).code == 2);

  script = run_program("backlit-view", folder.path(), {"--completion", "bash"});
  if (script.code == 127) BACKLIT_SKIP("backlit-view was not built: libglfw3-dev and libimgui-dev are missing");
  function = "_backlit_view";
  REQUIRE(script.code == 0);
  CHECK(completed("backlit-view --scr", 1) == "--script --screenshot\n");
  CHECK(completed("backlit-view --offscreen --on-failure s", 3) == "stop\n");
  CHECK(completed("backlit-view tooth.scan.toml", 1) == "\n");  // files: bash's own
  CHECK(run_program("backlit-view", folder.path(), {"--completion", "fish"}).code == 2);
}

TEST_CASE("The demo refuses a folder that cannot be made") {
  const TemporaryFolder folder;
  const auto r = run_backlit(folder.path(), {"demo", "-o", "/proc/demo"});
  CHECK(r.code == 2);
  CHECK_THAT(r.err, Catch::Contains("/proc/demo"));
}
