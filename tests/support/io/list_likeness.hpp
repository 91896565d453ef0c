// Whether the object of a list of PET events comes back as it lay in the scanner: in no mirror.
#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <utility>

#include <backlit/device/backend.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/real_data.hpp"

namespace backlit::test {

/// Correlation of the list's image with the object is above 0.85, and by `apart` above those with the object's images
/// in mirrors across x, y and z.
inline void check_list_place(ListModeFile file, const Phantom& object, const VolumeGrid& grid, double apart) {
  const auto backend = make_backend("cpu");
  PetOptions options;
  options.iterations = 3;
  options.subsets = 4;
  options.line = "joseph";
  options.sensitivity_pairs = 200'000;
  PetProblem problem(*backend, std::move(file.events), file.scanner, grid, options, nullptr);
  const auto run = problem.reconstruction();
  while (run->step() != Reconstruction::Status::finished) continue;
  const Volume found = run->download();
  std::array<double, 4> like{};
  for (int i = 0; i < 4; ++i) {
    Phantom truth = object;
    for (Body& body : truth.bodies) body.center *= Vec3(i == 1 ? -1 : 1, i == 2 ? -1 : 1, i == 3 ? -1 : 1);
    like[static_cast<std::size_t>(i)] = fit(voxelize(truth, grid, 2).values.span(), found.values.span()).correlation;
  }
  INFO(like[0] << " " << like[1] << " " << like[2] << " " << like[3]);
  CHECK(like[0] > 0.85);
  for (std::size_t i = 1; i < 4; ++i) CHECK(like[0] > like[i] + apart);
}

}  // namespace backlit::test
