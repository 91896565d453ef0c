// recon by ranks, as mpirun starts them on this machine.
#include <catch2/catch.hpp>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <backlit/core/atomic_file.hpp>
#include "support/io/scan_text.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Matchers::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* mpirun = "/usr/bin/mpirun";

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A folder with views of a head, 31 slices seen by 37 rows.
struct Head {
  TemporaryFolder folder;

  Head() {
    write_text(folder / "cone.scan.toml", cone_scan_text(41, 37, 12, 24));
    REQUIRE(run({"simulate", "shepp-logan-3d", "--scan", "cone.scan.toml", "-o", "head.npy"}).code == 0);
  }
  ProgramResult run(const std::vector<std::string>& arguments) const { return run_backlit(folder.path(), arguments); }

  /// What mpirun runs in place of backlit, given its arguments. Ranks see their number as OMPI_COMM_WORLD_RANK.
  ProgramResult by_ranks(int count, const std::vector<std::string>& arguments, const std::string& before = "") const {
    std::string command = before + "exec " + (program_dir() / "backlit").string();
    for (const auto& a : arguments) command += " '" + a + "'";
    return run_other(mpirun, {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,tcp",
                              "--mca", "btl_tcp_if_include", "lo", "-np", std::to_string(count), "sh", "-c", command});
  }
  ProgramResult run_other(const std::string& program, const std::vector<std::string>& arguments) const {
    return run_program(program, folder.path(), arguments);  // an absolute path stays what it is
  }
  std::vector<std::string> recon(const std::string& output, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"recon", "head.scan.toml", "-o", output, "--grid", "29x27x31", "--voxel", "9"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  double relative_l2(const std::string& one, const std::string& other) const {
    return json::parse(run({"compare", one, other, "--json"}).out)["relative_l2"].get<double>();
  }
  /// Nothing but what was there before, temporary files included.
  bool is_clean() const {
    return std::ranges::none_of(folder.files(), [](const std::string& name) {
      return name.find(".part") != std::string::npos || name.starts_with("x.");
    });
  }
};

/// Lines that backlit wrote, not mpirun.
std::vector<std::string> own_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("backlit: ")) lines.push_back(line);
  return lines;
}

bool has_mpi() {
  return fs::exists(mpirun) && run_backlit(".", {"--version", "--verbose"}).out.find(", MPI") != std::string::npos;
}

}  // namespace

TEST_CASE("ranks started by mpirun reconstruct what one process does") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "cpu"})).code == 0);
  for (const int count : {2, 3, 4}) {
    const ProgramResult r = head.by_ranks(count, head.recon("parts.mha", {"--backend", "cpu"}));
    INFO(r.err);
    REQUIRE(r.code == 0);
    CHECK_THAT(r.out, Contains(std::to_string(count) + " on 1 machine"));
    CHECK(own_lines(r.err).empty());
    CHECK(content(head.folder / "parts.mha") == content(head.folder / "whole.mha"));
  }
  // Ranks write their parts of the first four; rank 0 collects those of the others.
  for (const std::string output : {"parts.npy", "parts.mhd", "parts.nrrd", "parts.nii", "parts.h5", "parts.tif"}) {
    const std::string whole = "whole" + fs::path(output).extension().string();
    REQUIRE(head.run(head.recon(whole, {"--backend", "cpu"})).code == 0);
    REQUIRE(head.by_ranks(3, head.recon(output, {"--backend", "cpu"})).code == 0);
    CHECK(head.relative_l2(whole, output) == 0);
  }
  const std::vector<std::string> iterate{"--method", "cgls", "--iterations", "3", "--json"};
  for (const std::string backend : {"cpu", "gl"}) {
    auto options = iterate;
    options.insert(options.end(), {"--backend", backend, "--precision", "exact"});
    REQUIRE(head.run(head.recon("whole.mha", options)).code == 0);
    const ProgramResult r = head.by_ranks(2, head.recon("parts.mha", options));
    INFO(r.err);
    REQUIRE(r.code == 0);
    CHECK(json::parse(r.out)["iterations"] == 3);  // one rank speaks
    CHECK(head.relative_l2("whole.mha", "parts.mha") < (backend == "cpu" ? 1e-6 : 2e-5));
  }
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "gl"})).code == 0);
  REQUIRE(head.by_ranks(3, head.recon("parts.mha", {"--backend", "gl"})).code == 0);
  CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-3);
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "gl", "--precision", "exact"})).code == 0);
  REQUIRE(head.by_ranks(3, head.recon("parts.mha", {"--backend", "gl", "--precision", "exact"})).code == 0);
  CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-5);
}

TEST_CASE("when a rank fails all end, with one line that names it and no file") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  SECTION("bad input of all is said once, as one process says it") {
    const ProgramResult r = head.by_ranks(3, head.recon("x.mha", {"--voxel", "-1"}));
    CHECK(r.code == 2);
    CHECK(head.is_clean());
    const ProgramResult missing = head.by_ranks(3, {"recon", "none.scan.toml", "-o", "x.mha"});
    CHECK(missing.code == 2);
    REQUIRE(own_lines(missing.err).size() == 1);
    CHECK_THAT(own_lines(missing.err)[0], Contains("none.scan.toml") && !Contains("rank"));
  }
  SECTION("a file is missing on one rank") {
    fs::create_directory(head.folder / "away");
    const ProgramResult r = head.by_ranks(3, head.recon("x.mha", {"--backend", "cpu"}),
                                          "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then cd away; fi; ");
    CHECK(r.code == 1);
    REQUIRE(own_lines(r.err).size() == 1);
    CHECK_THAT(own_lines(r.err)[0], Contains("rank 1 on ") && Contains("head.scan.toml"));
    CHECK(head.is_clean());
  }
  SECTION("a file ends early, which ranks that read its end notice") {
    fs::resize_file(head.folder / "head.npy", fs::file_size(head.folder / "head.npy") - 4);
    const ProgramResult r = head.by_ranks(2, head.recon("x.mha", {"--backend", "cpu"}));
    CHECK(r.code == 2);
    CHECK(own_lines(r.err).size() == 1);
    CHECK(head.is_clean());
  }
  SECTION("a disk is full") {  // a limit on the size of files stands for it
    const ProgramResult r = head.by_ranks(3, head.recon("x.mha", {"--backend", "cpu"}),
                                          "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then ulimit -f 50; fi; ");
    CHECK(r.code == 1);
    REQUIRE(own_lines(r.err).size() == 1);
    CHECK_THAT(own_lines(r.err)[0], Contains("rank 1 on ") && Contains("x.mha: could not be written"));
    CHECK(head.is_clean());
  }
  SECTION("a rank dies") {
    const ProgramResult r =
        head.by_ranks(3, head.recon("x.mha", {"--backend", "cpu", "--method", "sirt", "--iterations", "100000"}),
                      "if [ $OMPI_COMM_WORLD_RANK = 2 ]; then (me=$$; sleep 3; kill -9 $me) & fi; ");
    CHECK(r.code != 0);
    CHECK_THAT(r.err, Contains("rank 2"));  // mpirun says it
    CHECK(std::ranges::none_of(head.folder.files(), [](const std::string& name) { return name == "x.mha"; }));
  }
}

TEST_CASE("ranks share the events of a PET list") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  REQUIRE(head.run({"simulate", "derenzo", "--listmode", "--scanner", "gemini_tf", "--counts", "20000", "--randoms",
                    "0.1", "-o", "rods.cdh"})
              .code == 0);
  const auto pet = [](const std::string& output) {
    return std::vector<std::string>{"pet",          "rods.cdh", "-o",        output, "--backend",           "cpu",
                                    "--grid",       "31x31x11", "--voxel",   "8",    "--sensitivity-pairs", "20000",
                                    "--iterations", "2",        "--subsets", "3",    "--likelihood",        "--json"};
  };
  const ProgramResult one = head.run(pet("whole.mha"));
  REQUIRE(one.code == 0);
  const ProgramResult three = head.by_ranks(3, pet("parts.mha"));
  INFO(three.err);
  REQUIRE(three.code == 0);
  CHECK(head.relative_l2("whole.mha", "parts.mha") < 2e-6);
  const auto likelihoods = [](const ProgramResult& r) {
    return json::parse(r.out)["log_likelihoods"].get<std::vector<double>>();
  };
  REQUIRE(likelihoods(three).size() == 2);
  for (const std::size_t i : {0, 1}) CHECK(likelihoods(three)[i] == Approx(likelihoods(one)[i]).epsilon(1e-7));
}

TEST_CASE("plan says what ranks hold, and that its time is a model") {
  const Head head;
  const ProgramResult r = head.run({"plan", "head.scan.toml", "--ranks", "4", "--grid", "29x27x31", "--voxel", "9"});
  REQUIRE(r.code == 0);
  CHECK_THAT(r.out, Contains("29 x 27 x 31 voxels from 24 views of 41 x 37") && Contains("model ") &&
                        Contains("not measured here"));
  const auto j = json::parse(
      head.run({"plan", "head.scan.toml", "--ranks", "4", "--iterations", "10", "--grid", "29x27x31", "--json"}).out);
  std::int64_t slices = 0;
  for (const auto& rank : j["ranks"]) {
    slices += rank["slices"].get<std::int64_t>();
    CHECK(rank["rows"] < 37);
    CHECK(rank["read_bytes"] == rank["rows"].get<std::int64_t>() * 41 * 24 * 4);
    CHECK(rank["sent_bytes"] > 0);
  }
  CHECK(slices == 31);
  CHECK(j["model_seconds"]["total"] > 0);
  const ProgramResult many = head.run({"plan", "head.scan.toml", "--ranks", "40", "--grid", "29x27x31"});
  CHECK(many.code == 2);
  CHECK_THAT(many.err, Contains("40 ranks for 31 slices"));
}
