// TOML that would run the parser out of stack is refused, whoever reads it; text that only looks deep is not.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include "core/parse_toml.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using Catch::Contains;

namespace {

std::string repeated(const std::string& word, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += word;
  return text;
}

/// "a.a.a": so many names.
std::string path_of(int names, const std::string& dot = ".") { return repeated("a" + dot, names - 1) + "a"; }

}  // namespace

TEST_CASE("TOML of too many levels is refused before it is parsed") {
  const int many = GENERATE(17, 100'000);
  const std::string deep = path_of(many);
  const std::vector<std::string> texts{deep + " = 1",
                                       "[" + deep + "]",
                                       "[[" + deep + "]]",
                                       path_of(many, " \t. ") + " = 1",
                                       repeated("'a'.", many) + "a = 1",
                                       repeated("\"a.b\".", many) + "a = 1",
                                       "x = { " + deep + " = 1 }",
                                       "x = [{ y = 1, " + deep + " = 1 }]",
                                       "x = " + repeated("[", many) + repeated("]", many),
                                       "x = " + repeated("{ x = ", many) + "1" + repeated(" }", many),
                                       "x = \"\"\"a\"\"\"\"\n" + deep + " = 1",
                                       "x = '''a'''''\n" + deep + " = 1",
                                       "x = \"a\\\"\" # ' \"\"\"\n" + deep + " = 1",
                                       "x = ''' \" \\'''\r\n" + deep + " = 1"};
  for (const std::string& text : texts) {
    INFO(text.substr(0, 60));
    CHECK_THROWS_WITH(parse_toml(text, "x.toml"), Contains("x.toml:") && Contains("of more than 16 levels"));
  }
  CHECK_THROWS_WITH(parse_toml("a = 1\n\n" + deep + " = 1", "x.toml"), Contains("x.toml:3: a key of more than"));
}

TEST_CASE("Dots and brackets in strings, comments and numbers are no levels of TOML") {
  const std::string dots = repeated(".", 50) + repeated("[{", 50);
  const auto text = [&](const std::string& written) {
    return *parse_toml("a = " + written, "x")["a"].value<std::string>();
  };
  CHECK(text("\"" + dots + "\"") == dots);
  CHECK(text("'" + dots + "'") == dots);
  CHECK(text("\"\"\"\n" + dots + "\n\\\"" + dots + "\"\"\"") == dots + "\n\"" + dots);
  CHECK(text("'''" + dots + "\n''" + dots + "''''") == dots + "\n''" + dots + "'");
  CHECK(text("\"\\\\\" # " + dots) == "\\");
  CHECK(parse_toml("# " + dots + "\na = 1", "x").size() == 1);
  CHECK(parse_toml("\"" + dots + "\".b = 1", "x").size() == 1);
  CHECK(parse_toml("[a.b]\nc.d = 1\n[a.'e.f']\n[[g.h]]\n", "x").size() == 2);
  std::string numbers = "a = [0.5";
  for (int i = 0; i < 100; ++i) numbers += ", [1.5,\n 2.5]";
  CHECK(parse_toml(numbers + "]", "x")["a"].as_array()->size() == 101);
  CHECK(parse_toml(path_of(16) + " = 1", "x").size() == 1);
  CHECK_THROWS_WITH(parse_toml("a = \"" + dots, "x"), Contains("not valid TOML"));
}

TEST_CASE("Every reader of TOML refuses too many levels, and none parses it by itself") {
  const test::Scratch folder;
  const auto says = [&](const std::string& name, const std::function<void(const std::filesystem::path&)>& read) {
    std::ofstream(folder / name) << path_of(40'000) << " = 1\n";
    try {
      read(folder / name);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(says("a.scan.toml", [](const auto& file) { load_scan(file); }), Contains("of more than 16 levels"));
  CHECK_THAT(says("a.phantom.toml", [](const auto& file) { load_phantom(file.string()); }),
             Contains("of more than 16 levels"));
  CHECK_THAT(says("a.scanner.toml", [](const auto& file) { load_scanner(file.string()); }),
             Contains("of more than 16 levels"));
  const auto root = test::source_dir();
  for (const char* top : {"engine", "app"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      if (!entry.is_regular_file() || entry.path().filename() == "parse_toml.cpp") continue;
      std::ifstream in(entry.path());
      INFO(entry.path().string());
      CHECK(std::string(std::istreambuf_iterator<char>(in), {}).find("toml::parse(") == std::string::npos);
    }
}
