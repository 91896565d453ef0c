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

TEST_CASE("Files that are unusual and good are read") {
  const std::filesystem::path hostile = data_dir() / "hostile";
  if (!std::filesystem::exists(hostile)) BACKLIT_SKIP("there is no folder hostile among the data");
  // A link into another file, whose data set is larger than the file with the link.
  const auto link = run_backlit(hostile, {"info", "link.h5:/volume"});
  INFO(link.err);
  CHECK(link.code == 0);
  CHECK_THAT(link.out, Contains("12 x 10 x 8"));
  // Of h5py's newest layout: read, or refused as such.
  const auto newest = run_backlit(hostile, {"info", "c_latest.h5"});
  INFO(newest.err << newest.out);
  CHECK((newest.code == 0 || newest.err.find("version") != std::string::npos));
}
