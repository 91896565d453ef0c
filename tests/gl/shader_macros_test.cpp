// Shaders are to be read as they stand: what a program can be is told by the files it is made of, not by macros.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "support/paths.hpp"

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_macros = 3;

using Words = std::set<std::string>;

fs::path shaders() { return backlit::test::source_dir() / "shaders"; }

/// A shader's text without comments.
std::string code_of(const std::string& path) {
  std::ifstream file(shaders() / path, std::ios::binary);
  REQUIRE(file);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return std::regex_replace(text, std::regex(R"(//[^\n]*|/\*[^]*?\*/)"), "");
}

void for_matches(const std::string& text, const char* pattern, const auto& f) {
  const std::regex regex(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) f(i->str(1));
}

/// The files that an include may stand for: the .glsl files of a folder that holds nothing else replace each other
/// (gl::Choices).
Words alternatives(const fs::path& included) {
  Words all;
  for (const auto& file : fs::directory_iterator(shaders() / included.parent_path())) {
    if (file.path().extension() != ".glsl") return {included.generic_string()};
    all.insert((included.parent_path() / file.path().filename()).generic_string());
  }
  const bool nested = std::distance(included.begin(), included.end()) >= 3;
  return nested ? all : Words{included.generic_string()};
}

void add_with_includes(const std::string& path, std::map<std::string, std::string>& files) {
  if (!files.emplace(path, code_of(path)).second) return;
  for_matches(files[path], R"re(#\s*include\s+"([^"]+)")re", [&](const std::string& name) {
    for (const std::string& file : alternatives(name)) add_with_includes(file, files);
  });
}

/// Names in capitals, and those that the preprocessor asks for, that neither the shader nor what it may include
/// defines.
Words macros_of(const std::string& path) {
  std::map<std::string, std::string> files;
  add_with_includes(path, files);
  Words used{}, defined{"defined"};
  for (const auto& [name, text] : files) {
    for_matches(text, R"(#\s*define\s+(\w+))", [&](const std::string& macro) { defined.insert(macro); });
    for_matches(text, R"(#\s*(?:if|ifdef|ifndef|elif)\b([^\n]*))", [&](const std::string& condition) {
      for_matches(condition, R"(\b([A-Za-z_]\w*))", [&](const std::string& word) { used.insert(word); });
    });
    const std::string body = std::regex_replace(text, std::regex(R"(#\s*(?:version|extension|include)[^\n]*)"), "");
    for_matches(body, R"(\b([A-Z][A-Z0-9_]+)\b)", [&](const std::string& word) { used.insert(word); });
  }
  for (const std::string& word : defined) used.erase(word);
  return used;
}

bool is_stage(const fs::path& file) {
  const Words stages{".vert", ".geom", ".frag", ".comp"};
  return stages.contains(file.extension().string());
}

}  // namespace

TEST_CASE("No shader of the product has more than three macros") {
  for (const auto& entry : fs::recursive_directory_iterator(shaders())) {
    const fs::path relative = fs::relative(entry.path(), shaders());
    if (!entry.is_regular_file() || *relative.begin() == "study" || !is_stage(relative)) continue;
    const std::string path = relative.generic_string();
    const Words macros = macros_of(path);
    std::string list;
    for (const std::string& macro : macros) list += " " + macro;
    INFO(path << ":" << list);
    CHECK(macros.size() <= most_macros);
  }
}

TEST_CASE("Macros are counted through all files that a shader may be made of") {
  CHECK(macros_of("voxel_driven/ag_gpu.frag") == Words{"FORMAT", "UNIFORM_VIEWS", "VIEWS"});
  CHECK(macros_of("voxel_driven/unpack_slices.comp").empty());
}
