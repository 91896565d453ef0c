// A budget of device memory as a user sets it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "support/program.hpp"
#include "support/scan_text.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

TEST_CASE("a budget of memory changes how a volume is made, not what comes out") {
  const TemporaryFolder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(79, 71, 8, 36));
  REQUIRE(
      run_backlit(folder.path(), {"simulate", "shepp-logan-3d", "--scan", "cone.scan.toml", "-o", "head.npy"}).code ==
      0);
  const auto recon = [&](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"recon",  "head.scan.toml", "-o",      output, "--backend", "gl",
                                       "--grid", "53x57x51",       "--voxel", "4",    "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_backlit(folder.path(), arguments);
  };
  for (const std::string method : {"fdk", "ossart"}) {
    const std::vector<std::string> options =
        method == "fdk" ? std::vector<std::string>{"--precision", "exact"}
                        : std::vector<std::string>{"--method",     "ossart", "--subsets",   "6",
                                                   "--iterations", "1",      "--precision", "exact"};
    auto small = options;
    small.insert(small.end(), {"--gpu-memory", "1M"});
    REQUIRE(recon("whole.mha", options).code == 0);
    const auto r = recon("parts.mha", small);
    INFO(r.err);
    REQUIRE(r.code == 0);
    CHECK_THAT(json::parse(r.out)["variant"].get<std::string>(), Catch::Contains(",tiles=1x1x"));
    const auto c = run_backlit(folder.path(), {"compare", "whole.mha", "parts.mha", "--json"});
    CHECK(json::parse(c.out)["relative_l2"].get<double>() < 1e-5);
  }
  const auto nonsense = recon("x.mha", {"--gpu-memory", "much"});
  CHECK(nonsense.code == 2);
  CHECK(nonsense.err.find("--gpu-memory: 'much' is no amount of memory; write a positive number") != std::string::npos);
  const auto little = recon("x.mha", {"--gpu-memory", "1K"});
  CHECK(little.code == 2);
  CHECK(little.err.find("--gpu-memory: 1 KiB is too little: 1 views of 79 x 71 pixels") != std::string::npos);
}

TEST_CASE("a volume past the host's memory lies in its output, and -v says what was chosen") {
  const TemporaryFolder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(79, 71, 8, 4));
  REQUIRE(
      run_backlit(folder.path(), {"simulate", "shepp-logan-3d", "--scan", "cone.scan.toml", "-o", "head.npy"}).code ==
      0);
  const auto recon = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"recon",    "head.scan.toml", "--backend", "cpu",      "--grid",
                                       "53x57x51", "--voxel",        "4",         "--verbose"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_backlit(folder.path(), arguments);
  };
  const auto whole = recon({"-o", "whole.mha", "--trace", "stages.json"});
  REQUIRE(whole.code == 0);
  CHECK_THAT(whole.err, Catch::Contains("variant voxel_driven double") && Catch::Contains("backend cpu on ") &&
                            Catch::Contains("--trace: stages ran one after another here"));
  const auto mapped = recon({"-o", "copied.mha", "-o", "mapped.mhd", "--host-memory", "100K"});
  INFO(mapped.err);
  REQUIRE(mapped.code == 0);
  for (const char* file : {"copied.mha", "mapped.mhd"}) {
    const auto c = run_backlit(folder.path(), {"compare", "whole.mha", file, "--json"});
    CHECK(json::parse(c.out)["relative_l2"].get<double>() == 0);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    CHECK(entry.path().filename().string().front() != '.');
}
