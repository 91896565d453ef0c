// Budgets of device and host memory as a user sets them.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include <backlit/core/atomic_file.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace memory_test {
namespace {

/// A folder with a small scan of a head, and programs run there.
struct Head {
  TemporaryFolder folder;

  explicit Head(int views) {
    write_text(folder / "cone.scan.toml", cone_scan_text(79, 71, 8, views));
    REQUIRE(run({"simulate", "shepp-logan-3d", "--scan", "cone.scan.toml", "-o", "head.npy"}).code == 0);
  }
  ProgramResult run(const std::vector<std::string>& arguments) const { return run_backlit(folder.path(), arguments); }
  ProgramResult recon(const std::vector<std::string>& options, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"recon", "head.scan.toml", "--grid", "53x57x51", "--voxel", "4"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  double relative_l2(const std::string& one, const std::string& other) const {
    return json::parse(run({"compare", one, other, "--json"}).out)["relative_l2"].get<double>();
  }
};

}  // namespace

TEST_CASE("a budget of memory changes how a volume is made, not what comes out") {
  const Head head(36);
  const auto recon = [&](const std::string& output, const std::vector<std::string>& more) {
    return head.recon({"-o", output, "--backend", "gl", "--json"}, more);
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
    CHECK_THAT(json::parse(r.out)["variant"].get<std::string>(), Catch::Contains(",slabs="));
    CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-5);
  }
  const auto nonsense = recon("x.mha", {"--gpu-memory", "much"});
  CHECK(nonsense.code == 2);
  CHECK(nonsense.err.find("--gpu-memory: 'much' is no amount of memory; write a positive number") != std::string::npos);
  const auto little = recon("x.mha", {"--gpu-memory", "1K"});
  CHECK(little.code == 2);
  CHECK(little.err.find("--gpu-memory: 1 KiB is too little: 1 views of 79 x 71 pixels") != std::string::npos);
}

TEST_CASE("views that have no room together are packed all the same, group by group") {
  const Head head(36);
  for (const std::string precision : {"fast", "half"}) {
    const auto recon = [&](const std::string& output, const std::vector<std::string>& more) {
      std::vector<std::string> arguments{"recon", "head.scan.toml", "--grid", "53x53x51",    "--voxel",
                                         "4",     "--backend",      "gl",     "--precision", precision,
                                         "-o",    output,           "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const auto r = head.run(arguments);
      INFO(r.err);
      REQUIRE(r.code == 0);
      return json::parse(r.out)["variant"].get<std::string>();
    };
    CHECK_THAT(recon("whole.mha", {}), Catch::Contains("packing=orbit"));
    CHECK_THAT(recon("parts.mha", {"--gpu-memory", "1M"}),
               Catch::Contains("packing=orbit") && Catch::Contains(",slabs="));
    CHECK(head.relative_l2("whole.mha", "parts.mha") < 1e-3);
  }
}

TEST_CASE("a volume past the host's memory lies in its output, and -v says what was chosen") {
  const Head head(4);
  const auto recon = [&](const std::vector<std::string>& more) {
    return head.recon({"--backend", "cpu", "--verbose"}, more);
  };
  const auto whole = recon({"-o", "whole.mha", "--trace", "stages.json"});
  REQUIRE(whole.code == 0);
  CHECK_THAT(whole.err, Catch::Contains("variant voxel_driven double") && Catch::Contains("backend cpu on ") &&
                            !Catch::Contains("--trace"));
  std::set<std::string> lanes;
  std::ifstream trace(head.folder / "stages.json");
  const json events = json::parse(trace)["traceEvents"];
  for (const auto& event : events)
    if (event["ph"] == "M") lanes.insert(event["args"]["name"].get<std::string>());
  for (const char* lane : {"read", "filter", "backproject", "download", "write"}) CHECK(lanes.contains(lane));
  const auto mapped = recon({"-o", "copied.mha", "-o", "mapped.mhd", "--host-memory", "100K"});
  INFO(mapped.err);
  REQUIRE(mapped.code == 0);
  for (const char* file : {"copied.mha", "mapped.mhd"}) CHECK(head.relative_l2("whole.mha", file) == 0);
  for (const auto& entry : std::filesystem::directory_iterator(head.folder.path()))
    CHECK(entry.path().filename().string().front() != '.');
}

}  // namespace memory_test
