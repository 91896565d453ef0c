#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <limits>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include "study/study_report.hpp"
#include "support/io/damage.hpp"
#include "support/scratch.hpp"
#include "support/study_sample.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string message(const std::string& file) {
  try {
    load_study(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("A study's result comes back from its JSON with every field") {
  const Scratch scratch;
  StudyResult written = sample_study();
  written.cells[0].rmse = std::numeric_limits<double>::infinity();
  written.cells[1].rmse = std::numeric_limits<double>::quiet_NaN();
  written.cells[2].device_seconds = 0.125;
  write_text(scratch / "a.json", study_json(written));
  const StudyResult read = load_study(scratch / "a.json");
  CHECK(study_json(read) == study_json(written));
  REQUIRE(read.cells.size() == written.cells.size());
  CHECK(std::isinf(*read.cells[0].rmse));
  CHECK(std::isnan(*read.cells[1].rmse));
  const StudyCell &a = read.cells[2], &b = written.cells[2];
  CHECK(a.key() == b.key());
  CHECK(a.options == b.options);
  CHECK(a.counts == b.counts);
  CHECK(a.seconds == b.seconds);
  CHECK(a.median == b.median);
  CHECK(a.spread == b.spread);
  CHECK(a.noisy == b.noisy);
  CHECK(a.device_seconds == 0.125);
  CHECK(a.rate == b.rate);
  CHECK(a.rmse == b.rmse);
  CHECK(a.rmse_bound == b.rmse_bound);
  CHECK(a.share == b.share);
  CHECK(read.cells.back().rmse == std::nullopt);
  CHECK(read.environment == written.environment);
  CHECK(read.ceilings[2].unit == "G fetches/s");
  CHECK(read.profiles[1].truth == written.profiles[1].truth);
}

TEST_CASE("A cell's key does not depend on the order of its options") {
  StudyCell a;
  a.operation = "backprojection";
  a.workload = "cube64";
  a.architecture = "CPU";
  a.options = {{"texel", "r32f"}, {"packing", "none"}};
  StudyCell b = a;
  std::swap(b.options[0], b.options[1]);
  CHECK(a.key() == "backprojection | cube64 | CPU | packing=none, texel=r32f");
  CHECK(a.key() == b.key());
  b.options[0].second = "orbit";
  CHECK(a.key() != b.key());
}

TEST_CASE("What is no study's result is refused with its file, its field and a remedy") {
  const Scratch scratch;
  const std::string file = scratch / "a.json", good = study_json(sample_study());
  const auto with = [&](const std::string& text) {
    write_text(file, text);
    return message(file);
  };
  const std::string remedy = "; give a JSON file that `backlit study` wrote";
  CHECK(message(scratch / "none.json") == (scratch / "none.json").string() + ": cannot be opened" + remedy);
  CHECK(with("[1, 2]") == file + ": is not a study's result" + remedy);
  CHECK(with("{\"format\": 1, ") == file + ": is not JSON from byte 15 on" + remedy);
  CHECK(with("{}") == file + ": format is missing" + remedy);
  CHECK(with(replaced(good, "\"format\": 1", "\"format\": 2")) ==
        file + ": format is 2, and this program reads 1; read it with the version of Backlit that wrote it");
  CHECK(with(replaced(good, "\"median\"", "\"medium\"")) == file + ": cells[0].median is missing" + remedy);
  CHECK(with(replaced(good, "\"noisy\": false", "\"noisy\": 3")) ==
        file + ": cells[0].noisy is number, not true or false" + remedy);
  CHECK(with(replaced(good, "\"status\": \"ok\"", "\"status\": \"fine\"")) ==
        file + ": cells[0].status is 'fine', not ok, failed or unsupported" + remedy);
  CHECK(with(replaced(good, "\"driver\": \"1.2\"", "\"driver\": 1.2")) ==
        file + ": environment.driver is number, not a text" + remedy);
  CHECK(with(replaced(good, "\"position_mm\": [", "\"position_mm\": [1,")) ==
        file + ": profiles[0].value has 101 values for 102 positions" + remedy);
}

TEST_CASE("Damaged results are refused or read, never a crash") {
  const Scratch scratch;
  StudyResult small = sample_study();
  small.cells.resize(2);
  small.profiles.resize(1);
  int refused = 0;
  for (const Damaged& damaged : damaged_copies(study_json(small), 200)) {
    INFO(damaged.how);
    std::ofstream(scratch / "a.json") << damaged.bytes;
    try {
      load_study(scratch / "a.json");
    } catch (const InputError& error) {
      ++refused;
      CHECK(std::string(error.what()).find("a.json: ") != std::string::npos);
    }
  }
  CHECK(refused > 60);
}
