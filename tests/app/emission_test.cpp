// Emission from the command line: activity seen through matter, and got back.
#include <catch2/catch.hpp>

#include <cmath>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"
#include "support/projectors/emission_cases.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace {

const VolumeGrid grid{{21, 21, 5}, Vec3(4), Vec3(0)};

std::string scan_text(bool cone) {
  return std::string("[detector]\ncolumns = 27\nrows = 7\npixel_mm = 4.5\n[trajectory]\nviews = 20\narc_deg = 360\n") +
         (cone ? "kind = \"circular\"\nsource_to_axis_mm = 220\nsource_to_detector_mm = 280\n"
               : "kind = \"parallel\"\n") +
         "[volume]\nsize = [21, 21, 5]\nvoxel_mm = 4.0\n";
}
const std::string with_data = "[data]\nprojections = \"views.npy\"\n";

Volume activity() {
  Phantom hot = cylinder(30, 1);
  hot.bodies.push_back(cylinder(9, 3, Vec3(10, -6, 0)).bodies[0]);
  return voxelize(hot, grid, 3);
}

double error_of(const std::filesystem::path& file) {
  const Volume truth = activity(), found = load_volume(file);
  double difference = 0, norm = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const double d = double(found.values.data()[i]) - double(truth.values.data()[i]);
    difference += d * d;
    norm += double(truth.values.data()[i]) * double(truth.values.data()[i]);
  }
  return std::sqrt(difference / norm);
}

}  // namespace

TEST_CASE("emission is projected through matter and scatter and reconstructed, parallel and cone, on cpu and gl") {
  const TemporaryFolder folder;
  save_volume(activity(), folder / "activity.mha");
  save_volume(voxelize(cylinder(34, 0.012), grid, 3), folder / "mu.mha");
  for (const bool cone : {false, true}) {
    write_text(folder / "geometry.scan.toml", scan_text(cone));
    write_text(folder / "spect.scan.toml", scan_text(cone) + with_data);
    const std::vector<std::string> physics{"--model",   "emission", "--attenuation",       "mu.mha",
                                           "--scatter", "5",        "--detector-distance", "60"};
    const auto call = [&](std::vector<std::string> arguments, const std::vector<std::string>& more) {
      arguments.insert(arguments.end(), more.begin(), more.end());
      const auto r = run_backlit(folder.path(), arguments);
      INFO(r.err);
      REQUIRE(r.code == 0);
      return r.out;
    };
    call({"project", "activity.mha", "--scan", "geometry.scan.toml", "-o", "views.npy", "--backend", "cpu"}, physics);
    for (const std::string backend : {"cpu", "gl"})
      for (const std::vector<std::string>& method :
           {std::vector<std::string>{"--method", "osem", "--subsets", "4", "--iterations", "5"},
            std::vector<std::string>{"--method", "sart", "--iterations", "3", "--relaxation", "0.5",
                                     "--nonnegative"}}) {
        std::vector<std::string> arguments{"recon", "spect.scan.toml", "-o", "v.mha", "--backend", backend, "--json"};
        arguments.insert(arguments.end(), method.begin(), method.end());
        const json result = json::parse(call(arguments, physics));
        CHECK(result["variant"].get<std::string>().find("emission") != std::string::npos);
        const double modelled = error_of(folder / "v.mha");
        call(arguments, {"--model", "emission"});
        const double ignored = error_of(folder / "v.mha");
        INFO((cone ? "cone, " : "parallel, ")
             << backend << ", " << method[1] << ": " << modelled << ", physics ignored " << ignored);
        CHECK(modelled < 0.2);
        CHECK(ignored > 2 * modelled);
      }
  }
}

TEST_CASE("what emission is given wrongly is refused in one line") {
  const TemporaryFolder folder;
  save_volume(activity(), folder / "activity.mha");
  write_text(folder / "spect.scan.toml", scan_text(false));
  const auto refuse = [&](std::vector<std::string> arguments, const std::string& why) {
    const auto r = run_backlit(folder.path(), arguments);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, Catch::Contains(why));
    CHECK_FALSE(std::filesystem::exists(folder / "out.npy"));
  };
  const std::vector<std::string> project{"project", "activity.mha", "--scan", "spect.scan.toml", "-o", "out.npy"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), project.begin(), project.end());
    return more;
  };
  refuse(with({"--scatter", "5"}), "--scatter: needs --model emission");
  refuse(with({"--model", "emission", "--scatter-kernel", "colour"}), "choose one of attenuation, distance, direction");
  save_volume(Volume(VolumeGrid{{5, 5, 5}, Vec3(4), Vec3(0)}), folder / "small.mha");
  refuse(with({"--model", "emission", "--attenuation", "small.mha"}), "small.mha");
  refuse({"recon", "spect.scan.toml", "-o", "out.npy", "--model", "emission"},
         "--model: filtered backprojection does not model emission");
}
