// Which part of the program may include which: the law of docs/design.md, checked in every source file.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace fs = std::filesystem;

namespace {

const std::set<std::string> below_operators{"core", "geometry", "projector", "data"};

std::set<std::string> with(std::set<std::string> all, const std::set<std::string>& more) {
  all.insert(more.begin(), more.end());
  return all;
}

/// What each folder may include besides itself.
const std::map<std::string, std::set<std::string>>& law() {
  static const std::set<std::string> numeric = with(below_operators, {"operator", "backend", "preprocess"});
  static const std::set<std::string> engine = with(numeric, {"gl", "phantom", "recon", "io", "pet", "render", "study"});
  static const std::map<std::string, std::set<std::string>> table{
      {"core", {}},
      {"geometry", {"core"}},
      {"projector", {"core", "geometry"}},
      {"data", {"core", "geometry"}},
      {"gl", {"core"}},
      {"phantom", {"core", "geometry", "data"}},
      {"preprocess", below_operators},
      {"operator", with(below_operators, {"backend"})},
      {"backend", with(below_operators, {"operator", "preprocess", "gl"})},
      {"io", {"core", "geometry", "data"}},
      {"recon", numeric},
      {"pet", with(numeric, {"phantom", "io", "recon"})},
      {"render", with(below_operators, {"backend", "gl"})},
      {"study", with(numeric, {"phantom", "recon", "render", "gl"})},
      {"cuda", with(numeric, {"gl"})},
      {"app", with(engine, {"cuda"})}};
  return table;
}

/// The part a source file lies in: "engine/io/x.cpp" in io, "cuda/filter/x.cu" in cuda.
std::string part_of(const fs::path& relative) {
  auto step = relative.begin();
  return *step == "engine" ? (++step)->string() : step->string();
}

/// The part an included name lies in; empty when it is no file of ours seen from `file`.
std::string part_of_include(const fs::path& root, const fs::path& file, const std::string& name) {
  if (fs::exists(root / "engine" / name)) return part_of(fs::path("engine") / name);
  if (fs::exists(root / "cuda" / name)) return "cuda";
  for (const char* program : {"app", "app/cli", "app/viewer"})
    if (fs::exists(root / program / name)) return "app";
  return fs::exists(file.parent_path() / name) ? part_of(fs::relative(file, root)) : "";
}

}  // namespace

TEST_CASE("Every part includes only what the architecture lets it") {
  const fs::path root = fs::path(BACKLIT_ASSETS).parent_path();
  const std::regex include("^\\s*#\\s*include\\s+\"([^\"]+)\".*");
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
        const std::string name = match[1], other = part_of_include(root, file, name);
        INFO("includes " << name << " of '" << other << "'");
        CHECK((other == part || law().at(part).contains(other)));
        // Of CUDA, programs see the one call that registers it.
        if (part == "app" && other == "cuda") CHECK(name == "register.hpp");
        ++checked;
      }
    }
  CHECK(checked > 500);
}
