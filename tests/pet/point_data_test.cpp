// A measured point source reconstructs where it stands.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/pet/reconstruction.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "support/paths.hpp"
#include "support/skip.hpp"

using namespace backlit;

TEST_CASE("The SAFIR prototype's point source stands in the middle") {
  const std::filesystem::path list = test::data_dir() / "pet-points/coincidencesLM.clm.safir";
  if (!std::filesystem::exists(list)) BACKLIT_SKIP(list.string() + " is missing");
  CpuBackend backend(BackendOptions{});
  const VolumeGrid grid{{51, 51, 31}, Vec3(1), Vec3(0.2, -0.3, 0.1)};
  for (const char* line : {"tube", "joseph"}) {
    PetOptions options;
    options.line = line;
    options.iterations = 5;
    options.sensitivity_pairs = 100'000;
    ListModeFile file = load_list_mode(list);
    const std::shared_ptr<ListModeSource> source = std::move(file.events);
    PetProblem problem(backend, source, file.scanner, grid, options, nullptr);
    const auto em = problem.reconstruction();
    CHECK(problem.events() == 1408);
    while (em->step() != Reconstruction::Status::finished) continue;
    const Volume image = em->download();
    // The middle of what is within 5 mm of the brightest voxel.
    const auto at = [&](std::int64_t v) {
      return grid.voxel_center(double(v % 51), double(v / 51 % 51), double(v / (51 * 51)));
    };
    const Vec3 peak = at(std::ranges::max_element(image.values) - image.values.begin());
    double sum = 0;
    Vec3 moment(0);
    for (std::int64_t v = 0; v < grid.voxels(); ++v)
      if (glm::length(at(v) - peak) < 5) {
        sum += image.values[v];
        moment += double(image.values[v]) * at(v);
      }
    INFO(line);
    CHECK(glm::length(moment / sum) < 0.5);
  }
}
