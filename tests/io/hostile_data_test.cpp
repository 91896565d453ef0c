// Files that once broke something: a line and an exit code, never a signal.
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace backlit::test;
using Catch::Contains;

TEST_CASE("Files made to break programs are refused in one line") {
  const std::filesystem::path hostile = data_dir() / "hostile";
  if (!std::filesystem::exists(hostile)) BACKLIT_SKIP("there is no folder hostile among the data");
  const auto says = [&](const std::string& file) {
    const auto r = run_backlit((hostile / file).parent_path(), {"info", std::filesystem::path(file).filename()});
    INFO(file << ": " << r.err);
    CHECK(r.code == 2);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK(r.err.find('\x1b') == std::string::npos);
    return r.err;
  };
  CHECK_THAT(says("deep.scan.toml"), Contains("of more than 16 levels"));
  CHECK_THAT(says("ov.cdh"), Contains("not 281474976710656 events"));
  says("esc.mhd");
  CHECK_THAT(says("hdf5-vds-crash/vds.h5"), Contains("crashed (signal 11)"));
  CHECK_THAT(says("hdf5-fletcher-crash/c_gzip.h5"), Contains("crashed (signal 11)"));
}
