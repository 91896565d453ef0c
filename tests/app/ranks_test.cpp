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
  TemporaryFolder of_mpirun;  ///< where they share one, an mpirun that ends removes it while another makes its own

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
                              "--mca", "btl_tcp_if_include", "lo", "--mca", "orte_tmpdir_base",
                              of_mpirun.path().string(), "-np", std::to_string(count), "sh", "-c", command});
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

TEST_CASE("processes that srun starts without MPI are refused in one line") {
  const Head head;
  const ProgramResult result =
      head.run_other("/usr/bin/env", {"SLURM_STEP_NUM_TASKS=2", "SLURM_PROCID=0", (program_dir() / "backlit").string(),
                                      "recon", "head.scan.toml", "-o", "v.mha"});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, Contains("srun: started 2 processes, and"));
  CHECK_FALSE(fs::exists(head.folder / "v.mha"));
}

TEST_CASE("ranks that are told different things, or all the same nonsense, say so in one line") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  const std::string program = (program_dir() / "backlit").string();
  const ProgramResult differ =
      head.by_ranks(2, head.recon("v.mha", {"--backend", "cpu", "--method", "sirt", "--iterations", "3"}),
                    "[ $OMPI_COMM_WORLD_RANK = 0 ] || exec " + program +
                        " recon head.scan.toml -o v.mha --grid 29x27x31 --voxel 9 --backend cpu --method sirt "
                        "--iterations 4; ");
  CHECK(differ.code == 2);
  REQUIRE(own_lines(differ.err).size() == 1);
  CHECK_THAT(own_lines(differ.err)[0],
             Contains("ranks: rank 1 has other options than rank 0; give all ranks the same"));
  const ProgramResult slabs =
      head.by_ranks(2, head.recon("v.mha", {"--backend", "cpu", "--slabs", "1"}),
                    "[ $OMPI_COMM_WORLD_RANK = 0 ] || exec " + program +
                        " recon head.scan.toml -o v.mha --grid 29x27x31 --voxel 9 --backend cpu; ");
  CHECK(slabs.code == 2);
  CHECK_THAT(slabs.err, Contains("rank 1 has other options"));
  const ProgramResult nonsense = head.by_ranks(2, {"recon", "head.scan.toml", "-o", "v.mha", "--backend", "nosuch"});
  CHECK(nonsense.code == 2);
  CHECK(own_lines(nonsense.err).size() == 1);
}

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
  // Ranks write their parts of all but the last, whose slices rank 0 collects.
  for (const std::string output : {"parts.npy", "parts.mhd", "parts.nrrd", "parts.nii", "parts.h5", "parts.tif"}) {
    const std::string whole = "whole" + fs::path(output).extension().string();
    REQUIRE(head.run(head.recon(whole, {"--backend", "cpu"})).code == 0);
    REQUIRE(head.by_ranks(3, head.recon(output, {"--backend", "cpu"})).code == 0);
    CHECK(head.relative_l2(whole, output) == 0);
  }
  REQUIRE(head.by_ranks(3, head.recon("state.mha", {"--backend", "cpu", "--method", "sirt", "--iterations", "2",
                                                    "--checkpoint", "state.bin"}))
              .code == 0);
  const std::vector<std::string> on{"--backend", "cpu", "--method", "sirt", "--iterations", "4"},
      resume{"--resume", "state.bin"};
  REQUIRE(head.run(head.recon("whole.mha", on)).code == 0);
  for (const int count : {1, 2}) {
    std::vector<std::string> resumed = on;
    resumed.insert(resumed.end(), resume.begin(), resume.end());
    REQUIRE(head.by_ranks(count, head.recon("parts.mha", resumed)).code == 0);
    CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-6);
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
    const json stages = json::parse(r.out)["seconds_of_ranks"];
    for (const char* stage : {"iterate", "write", "total"}) {
      CHECK(stages.at(stage)["most"] > 0);
      CHECK(stages.at(stage)["least"] <= stages.at(stage)["most"]);
      CHECK(stages.at(stage)["slowest_rank"] < 2);
    }
    CHECK(head.relative_l2("whole.mha", "parts.mha") < (backend == "cpu" ? 1e-6 : 2e-5));
  }
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "gl"})).code == 0);
  for (const int count : {1, 2, 3, 4}) {
    REQUIRE(head.by_ranks(count, head.recon("parts.mha", {"--backend", "gl"})).code == 0);
    CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-3);
  }
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "gl", "--precision", "exact"})).code == 0);
  REQUIRE(head.by_ranks(3, head.recon("parts.mha", {"--backend", "gl", "--precision", "exact"})).code == 0);
  CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-5);
}

TEST_CASE("ranks that work with different devices say so once, and iterations refuse cpu beside others") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  const auto on_rank_1 = [](const std::string& command) {
    return "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then " + command + "; fi; ";
  };
  const std::string no_gl = on_rank_1("export __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null CUDA_VISIBLE_DEVICES=");
  const ProgramResult mixed = head.by_ranks(2, head.recon("mixed.mha", {"--precision", "exact", "--json"}), no_gl);
  INFO(mixed.err);
  REQUIRE(mixed.code == 0);
  REQUIRE(own_lines(mixed.err).size() == 1);
  CHECK_THAT(own_lines(mixed.err)[0], Contains("ranks work with different devices") && Contains("rank 0 on ") &&
                                          Contains("rank 1 on ") && Contains("works with cpu (gl does not start: "));
  CHECK_THAT(json::parse(mixed.out)["warnings"].dump(), Contains("works with cpu"));
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "cpu"})).code == 0);
  CHECK(head.relative_l2("whole.mha", "mixed.mha") < 1e-5);

  const auto sirt = head.recon("x.mha", {"--method", "sirt", "--iterations", "2"});
  auto cpu = sirt;
  cpu.insert(cpu.end(), {"--backend", "cpu"});
  std::string instead = "exec " + (program_dir() / "backlit").string();
  for (const std::string& argument : cpu) instead += " '" + argument + "'";
  auto gl = sirt;
  gl.insert(gl.end(), {"--backend", "gl"});
  const ProgramResult refused = head.by_ranks(2, gl, on_rank_1(instead));
  CHECK(refused.code == 2);
  REQUIRE(own_lines(refused.err).size() == 1);
  CHECK_THAT(own_lines(refused.err)[0], Contains("rank 1 on ") && Contains("works with cpu") && Contains("--backend"));
}

TEST_CASE("ranks correct views by means of a volume as one process does") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  for (const std::vector<std::string>& correction :
       {std::vector<std::string>{"--metal", "0.05"}, {"--scatter-share", "fit"}, {"--flatten"}}) {
    std::vector<std::string> more = correction;
    more.insert(more.end(), {"--backend", "cpu"});
    const ProgramResult one = head.run(head.recon("one.mha", more));
    const ProgramResult ranks = head.by_ranks(2, head.recon("ranks.mha", more));
    INFO(correction[0] << " " << one.err << " " << ranks.err);
    REQUIRE(ranks.code == one.code);
    if (one.code == 0) CHECK(head.relative_l2("one.mha", "ranks.mha") < 1e-6);
  }
}

TEST_CASE("ranks of a slab share its views, where there are more than slices or where asked") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  const auto thin = [](std::vector<std::string> arguments) {  // the last --grid counts
    *std::ranges::find(arguments, "29x27x31") = "29x27x3";
    return arguments;
  };
  for (const std::string backend : {"cpu", "gl"}) {
    const std::vector<std::string> options{"--backend", backend, "--precision", "exact", "--json"};
    auto in_two = options;
    in_two.insert(in_two.end(), {"--slabs", "2"});
    REQUIRE(head.run(head.recon("whole.mha", options)).code == 0);
    const ProgramResult four = head.by_ranks(4, head.recon("parts.mha", in_two));
    INFO(four.err);
    REQUIRE(four.code == 0);
    CHECK(json::parse(four.out)["ranks"] == "4 on 1 machine, 7 to 8 slices each, 2 share the views of a slab");
    CHECK(head.relative_l2("whole.mha", "parts.mha") < (backend == "cpu" ? 1e-6 : 1e-5));
    REQUIRE(head.run(thin(head.recon("whole.mha", options))).code == 0);
    const ProgramResult many = head.by_ranks(4, thin(head.recon("parts.mha", options)));
    INFO(many.err);
    REQUIRE(many.code == 0);
    CHECK_THAT(many.out, Contains("0 to 1 slices each, 2 share"));
    CHECK(head.relative_l2("whole.mha", "parts.mha") < (backend == "cpu" ? 1e-6 : 1e-5));
  }
  const ProgramResult iterations = head.by_ranks(4, thin(head.recon("x.mha", {"--method", "sirt"})));
  CHECK(iterations.code == 2);
  REQUIRE(own_lines(iterations.err).size() == 1);
  CHECK_THAT(own_lines(iterations.err)[0], Contains("4 ranks for 3 slices") && Contains("at most 3"));
  CHECK_THAT(head.by_ranks(4, head.recon("x.mha", {"--slabs", "3"})).err, Contains("4 ranks cannot share 3 slabs"));
  CHECK_THAT(head.by_ranks(2, head.recon("x.mha", {"--slabs", "1", "--method", "sirt"})).err, Contains("--slabs"));
  CHECK_THAT(head.run(head.recon("x.mha", {"--slabs", "2", "--method", "sirt"})).err, Contains("--slabs"));
  CHECK(head.is_clean());
}

TEST_CASE("slabs are made one after another, by one process and by ranks") {
  if (!has_mpi()) BACKLIT_SKIP("no MPI");
  const Head head;
  REQUIRE(head.run(head.recon("whole.mha", {"--backend", "cpu"})).code == 0);
  const ProgramResult one = head.run(head.recon("slabs.mha", {"--backend", "cpu", "--slabs", "4", "--json"}));
  INFO(one.err);
  REQUIRE(one.code == 0);
  CHECK_THAT(json::parse(one.out)["variant"].dump(), Contains("4 slabs one after another"));
  CHECK(content(head.folder / "slabs.mha") == content(head.folder / "whole.mha"));
  const ProgramResult two =
      head.by_ranks(2, head.recon("slabs.mha", {"-o", "again.npy", "--backend", "cpu", "--slabs", "6"}));
  INFO(two.err);
  REQUIRE(two.code == 0);
  CHECK_THAT(two.out, Contains("in 3 slabs"));
  CHECK(content(head.folder / "slabs.mha") == content(head.folder / "whole.mha"));
  CHECK(head.relative_l2("whole.mha", "again.npy") == 0);
  const ProgramResult full = head.by_ranks(2, head.recon("x.mha", {"--backend", "cpu", "--slabs", "4"}),
                                           "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then ulimit -f 50; fi; ");
  CHECK(full.code == 1);
  REQUIRE(own_lines(full.err).size() == 1);
  CHECK_THAT(own_lines(full.err)[0], Contains("rank 1 on ") && Contains("x.mha: could not be written"));
  CHECK(head.is_clean());
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
  SECTION("ranks that share views: one misses a file, one has a full disk, one dies") {
    fs::create_directory(head.folder / "away");
    const auto arguments = head.recon("x.mha", {"--backend", "cpu", "--slabs", "2"});
    const auto on_rank_3 = [](const std::string& command) {
      return "if [ $OMPI_COMM_WORLD_RANK = 3 ]; then " + command + "; fi; ";
    };
    for (const auto& [command, told] : {std::pair{"cd away", "head.scan.toml"}, std::pair{"ulimit -f 50", "x.mha: "}}) {
      const ProgramResult r = head.by_ranks(4, arguments, on_rank_3(command));
      CHECK(r.code == 1);
      REQUIRE(own_lines(r.err).size() == 1);
      CHECK_THAT(own_lines(r.err)[0], Contains("rank 3 on ") && Contains(told));
      CHECK(head.is_clean());
    }
    const std::string library = (program_dir() / "tests" / "libkill_point.so").string();
    const ProgramResult r = head.by_ranks(4, arguments, on_rank_3("export KILL_POINT=1 LD_PRELOAD=" + library));
    CHECK(r.code != 0);
    CHECK_THAT(r.err, Contains("rank 3"));  // mpirun says it
    CHECK(std::ranges::none_of(head.folder.files(), [](const std::string& name) { return name == "x.mha"; }));
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
  const auto pet = [](const std::string& output, const std::string& backend) {
    return std::vector<std::string>{"pet",          "rods.cdh", "-o",        output, "--backend",           backend,
                                    "--grid",       "31x31x11", "--voxel",   "8",    "--sensitivity-pairs", "20000",
                                    "--iterations", "2",        "--subsets", "3",    "--likelihood",        "--json"};
  };
  const auto likelihoods = [](const ProgramResult& r) {
    return json::parse(r.out)["log_likelihoods"].get<std::vector<double>>();
  };
  struct Case {
    std::string backend;
    int ranks;
    double volume, likelihood;  // most relative differences
  };
  for (const Case& c : {Case{"cpu", 3, 2e-6, 1e-7}, {"gl", 2, 1e-4, 1e-5}}) {
    const ProgramResult one = head.run(pet("whole.mha", c.backend));
    INFO(one.err);
    REQUIRE(one.code == 0);
    const ProgramResult several = head.by_ranks(c.ranks, pet("parts.mha", c.backend));
    INFO(several.err);
    REQUIRE(several.code == 0);
    CHECK(head.relative_l2("whole.mha", "parts.mha") < c.volume);
    REQUIRE(likelihoods(several).size() == 2);
    for (const std::size_t i : {0, 1})
      CHECK(likelihoods(several)[i] == Approx(likelihoods(one)[i]).epsilon(c.likelihood));
  }
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
  CHECK(j["rates"]["device_gups"] > 0);  // the default
  const ProgramResult many =
      head.run({"plan", "head.scan.toml", "--ranks", "40", "--grid", "29x27x31", "--iterations", "1"});
  CHECK(many.code == 2);
  CHECK_THAT(many.err, Contains("40 ranks for 31 slices"));
}

TEST_CASE("plan counts the views that corrections hold on each rank") {
  const Head head;
  const auto plan = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"plan", "head.scan.toml", "--ranks", "4", "--grid", "29x27x31", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult r = head.run(arguments);
    INFO(r.err);
    REQUIRE(r.code == 0);
    return json::parse(r.out);
  };
  const std::int64_t all = 24 * 41 * 37 * 4;
  const json plain = plan({});
  const auto held = [&](const std::vector<std::string>& more, const char* where) {
    const json with = plan(more), without = where == std::string("host_bytes") ? plan({"--cpu"}) : plain;
    for (const auto& rank : with["ranks"]) CHECK(rank["read_bytes"] == all);  // f32, all rows of all views
    CHECK(with["model_seconds"]["overlaps"] == false);
    return with["ranks"][0][where].get<std::int64_t>() - without["ranks"][0][where].get<std::int64_t>();
  };
  CHECK(plain["ranks"][0]["corrected_bytes"] == 0);
  CHECK(held({"--stripes", "9"}, "device_bytes") == all);
  CHECK(held({"--stripes", "9", "--cpu"}, "host_bytes") == all);
  CHECK(held({"--stripes", "9", "--metal", "0.05"}, "device_bytes") == 2 * all);
  CHECK(held({"--correct", "auto"}, "device_bytes") == all);
  // A scan file's own corrections count, unless they are left out.
  std::ofstream(head.folder / "head.scan.toml", std::ios::app) << "\n[corrections]\nstripes = 9\n";
  CHECK(plan({})["ranks"][0]["corrected_bytes"] == all);
  CHECK(plan({"--correct", "none"})["ranks"][0]["corrected_bytes"] == 0);
}

TEST_CASE("plan compares numbers of slabs, and recon takes the one that plan tells") {
  const Head head;
  const std::vector<std::string> tall{"plan", "head.scan.toml", "--grid", "29x27x31", "--json", "--ranks"};
  const auto plan = [&](const std::vector<std::string>& more) {
    auto arguments = tall;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(head.run(arguments).out);
  };
  const json four = plan({"4"}), two = plan({"4", "--slabs", "2"}), many = plan({"40"});
  CHECK(four["slabs"] == 4);
  CHECK(four["seconds_by_slabs"].size() == 3);
  CHECK(four["seconds_by_slabs"]["2"] == two["model_seconds"]["total"]);
  std::int64_t all = 0, half = 0;
  for (const auto& rank : four["ranks"]) all += rank["read_bytes"].get<std::int64_t>();
  for (const auto& rank : two["ranks"]) {
    half += rank["read_bytes"].get<std::int64_t>();
    CHECK(rank["views"] == 12);
    CHECK(rank["sent_bytes"] > 0);
  }
  CHECK(half < all);  // fewer rows are read by several ranks
  CHECK(four["model_seconds"]["exchange"] == 0);
  CHECK(many["slabs"] == 20);
  // A slow disk makes what is read count, a slow link what is sent.
  CHECK_THAT(head.run({"plan", "head.scan.toml", "--grid", "29x27x31", "--ranks", "4", "--disk-rate", "1e-6"}).out,
             Contains("--slabs 1 is faster"));
  CHECK_THAT(head.run({"plan", "head.scan.toml", "--grid", "29x27x31", "--ranks", "4", "--link-rate", "1e-6"}).out,
             Contains("slabs     4") && !Contains("is faster"));
}
