// Which part of the program may include which: the law of docs/design.md, checked in every source file.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include "support/paths.hpp"

namespace fs = std::filesystem;

namespace {

std::set<std::string> with(std::set<std::string> all, const std::set<std::string>& more) {
  all.insert(more.begin(), more.end());
  return all;
}

/// What each folder may include besides itself.
const std::map<std::string, std::set<std::string>>& law() {
  static const std::set<std::string> basic{"core", "geometry", "data"};
  static const std::set<std::string> numeric = with(basic, {"device", "projectors", "preprocess", "recon"});
  static const std::set<std::string> engine =
      with(numeric, {"gl", "large", "phantom", "io", "pet", "render", "session", "calibration"});
  static const std::map<std::string, std::set<std::string>> table{
      {"core", {"version.hpp"}},
      {"geometry", {"core"}},
      {"data", {"core", "geometry"}},
      {"gl", {"core"}},
      {"phantom", basic},
      {"preprocess", basic},
      {"calibration", with(basic, {"preprocess", "io"})},
      {"io", with(basic, {"preprocess"})},
      {"device", with(basic, {"gl"})},
      {"projectors", with(numeric, {"gl"})},
      {"large", with(numeric, {"gl"})},
      {"recon", with(numeric, {"gl"})},
      {"session", with(numeric, {"io"})},
      {"pet", with(numeric, {"phantom", "io"})},
      {"render", with(basic, {"device", "projectors", "preprocess", "recon", "gl"})},
      {"cuda", with(numeric, {"gl"})},
      {"backlit.hpp", with(numeric, {"calibration", "phantom", "io", "pet", "session", "version.hpp"})},
      {"version.hpp", {}},
      {"study", with(engine, {"cuda", "version.hpp"})},
      {"app", with(engine, {"cuda", "study", "backlit.hpp", "version.hpp"})}};
  return table;
}

/// The part a source file lies in: "engine/io/x.cpp" and "engine/include/backlit/io/x.hpp" in io, "cuda/filter/x.cu" in
/// cuda, "app/study/x.cpp" in study, the rest of app/ in app. What is called session in recon is a part of its own: it
/// alone reads files.
std::string part_of(const fs::path& relative) {
  if (relative.string().find("recon/session") != std::string::npos) return "session";
  auto step = relative.begin();
  if (*step == "app" && *std::next(step) == "study") return "study";
  if (*step != "engine") return step->string();
  if (*++step == "include") std::advance(step, 2);
  return step->string();
}

/// The part an included name lies in; empty when it is no file of ours seen from `file`.
std::string part_of_include(const fs::path& root, const fs::path& file, const std::string& name) {
  for (const char* place : {"engine/include", "cuda/include", "engine", "", "app", "app/cli", "app/viewer"}) {
    const fs::path seen = fs::path(place) / name;
    if (fs::exists(root / seen)) return part_of(seen);
  }
  return fs::exists(file.parent_path() / name) ? part_of(fs::relative(file, root)) : "";
}

}  // namespace

TEST_CASE("Every part includes only what the architecture lets it") {
  const fs::path root = backlit::test::source_dir();
  const std::regex include("^\\s*#\\s*include\\s+(\"|<backlit/)([^\">]+)[\">].*");
  const std::set<std::string> source{".hpp", ".cpp", ".cu", ".cuh", ".h"};
  int checked = 0;
  for (const char* top : {"engine", "cuda", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const fs::path file = entry.path(), relative = fs::relative(file, root);
      if (!source.contains(file.extension().string())) continue;
      const std::string part = part_of(relative);
      INFO(relative.string() << " in " << part);
      REQUIRE(law().contains(part));
      std::ifstream in(file);
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (!std::regex_match(line, match, include)) continue;
        const std::string name = (match[1] == "\"" ? "" : "backlit/") + match[2].str(),
                          other = part_of_include(root, file, name);
        INFO("includes " << name << " of '" << other << "'");
        CHECK((other == part || law().at(part).contains(other)));
        // Of CUDA, programs see the one call that registers it.
        if (part == "app" && other == "cuda") CHECK(name == "backlit/cuda.hpp");
        ++checked;
      }
    }
  CHECK(checked > 500);
}

TEST_CASE("A folder holds at most 25 files, so that a reader sees them at once") {
  std::map<fs::path, int> files;
  for (const char* top : {"app", "assets", "cuda", "engine", "examples", "python", "shaders", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(backlit::test::source_dir() / top))
      if (entry.is_regular_file() && entry.path().string().find("/__pycache__/") == std::string::npos)
        ++files[entry.path().parent_path()];
  for (const auto& [folder, count] : files) {
    INFO(folder.string());
    CHECK(count <= 25);
  }
}

TEST_CASE("Public headers include GLM, the standard library and each other, nothing else") {
  const std::regex include("^\\s*#\\s*include\\s+(.*)"),
      allowed("<(backlit/[a-z0-9_/]+\\.hpp|glm/[a-z0-9_/]+\\.hpp|[a-z_]+)>.*");
  for (const char* folder : {"engine/include", "cuda/include"})
    for (const auto& entry : fs::recursive_directory_iterator(backlit::test::source_dir() / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        INFO(entry.path().string() << ": " << line);
        if (std::regex_match(line, match, include)) CHECK(std::regex_match(match[1].str(), allowed));
      }
    }
}

TEST_CASE("CTest can ask for every test by its name") {
  // A semicolon cuts the name; Catch takes a leading dash, tilde or bracket for something else. Then no test runs, and
  // CTest calls that a success.
  const std::regex named("^TEST_CASE\\(\"([^\"]*)\".*");
  int checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(backlit::test::source_dir() / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_match(line, match, named)) continue;
      INFO(entry.path().string() << ": " << line);
      CHECK(match[1].str().find(';') == std::string::npos);
      CHECK(std::string("-~[").find(match[1].str().front()) == std::string::npos);
      ++checked;
    }
  }
  CHECK(checked > 500);
}
