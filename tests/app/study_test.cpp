// `backlit study` from the command line: three files, what is not understood, and what Ctrl-C leaves.
#include <catch2/catch.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/program.hpp"

using namespace backlit::test;
using Catch::Matchers::Contains;

namespace {

nlohmann::json read_json(const std::filesystem::path& file) {
  std::ifstream in(file);
  return nlohmann::json::parse(in);
}

}  // namespace

TEST_CASE("A study of two operations writes its files, and two studies are compared") {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    const auto r = run_backlit(
        folder.path(), {"study", "--quick", "--backend", "cpu", "--only", "lines_forward,lines_back", "-o", name});
    INFO(r.err);
    REQUIRE(r.code == 0);
    CHECK_THAT(r.out, Contains("0 failed"));
    CHECK(std::filesystem::file_size(folder / name / "study.md") > 500);
    CHECK(std::filesystem::file_size(folder / name / "study.csv") > 500);
    CHECK(std::filesystem::file_size(folder / name / "study.html") > 2000);
  }
  const auto study = read_json(folder / "a" / "study.json");
  CHECK(study["extent"] == "quick");
  CHECK(study["cells"].size() >= 4);
  for (const auto& cell : study["cells"]) {
    CHECK((cell["operation"] == "lines_forward" || cell["operation"] == "lines_back"));
    CHECK(cell["rate"].get<double>() > 0);
    CHECK(cell["rmse"].get<double>() <= cell["rmse_bound"].get<double>());
  }
  const auto diff = run_backlit(folder.path(), {"study", "diff", "a/study.json", "b/study.json"});
  CHECK(diff.code == 0);
  CHECK_THAT(diff.out, Contains("lines_forward"));
  CHECK(run_backlit(folder.path(), {"study", "report", "a/study.json", "-o", "again"}).code == 0);
  CHECK(std::filesystem::file_size(folder / "again" / "study.html") ==
        std::filesystem::file_size(folder / "a" / "study.html"));
}

TEST_CASE("What a study cannot do is said before anything is measured") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::vector<std::string>& arguments, const char* text) {
    const auto r = run_backlit(folder.path(), arguments);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, Contains(text));
  };
  fails({"study"}, "there is no folder for the report; name one with -o FOLDER");
  fails({"study", "-o", "x", "--backend", "cpu", "--only", "sart", "--workload", "cube99"},
        "no workload's name begins with 'cube99'");
  fails({"study", "-o", "x", "--only", "sculpture"}, "'sculpture' is no operation of the study; choose from");
  fails({"study", "-o", "x", "--backend", "abacus"}, "unknown backend 'abacus'");
  fails({"study", "-o", "x", "--quick", "--full"}, "--full");
  fails({"study", "diff", "nothing.json", "nothing.json"}, "nothing.json");
}

TEST_CASE("A study that is interrupted writes what it has, or nothing") {
  const TemporaryFolder folder;
  const auto r = run_backlit(
      folder.path(), {"study", "--quick", "--backend", "cpu", "--only", "lines_forward,lines_back", "-o", "x"}, 600);
  const bool written = std::filesystem::exists(folder / "x" / "study.json");
  INFO(r.err);
  CHECK((r.code == 130 || (r.code == 0 && written)));
  if (r.code == 130) CHECK_THAT(r.err, Contains("stopped on request"));  // told by the program: no signal ended it
  if (written) CHECK(read_json(folder / "x" / "study.json")["format"] == 1);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "x"))
    CHECK(entry.path().filename().string().starts_with("study."));
}
