// Steps of total variation's dual by a backend compared with the CPU, and volumes in parts compared with whole ones.
#pragma once

#include <catch2/catch.hpp>

#include <array>
#include <vector>

#include <backlit/device/neighbour_penalty.hpp>
#include "support/recon/penalties.hpp"
#include "support/relative_l2.hpp"

namespace backlit::test {

/// Three steps up and down from noise; all results joined into one list. `make` makes a zeroed array.
template <class Make>
std::vector<float> steps_of_variation(Backend& backend, Make&& make, const Vec3& spacing, bool weighted) {
  const ArrayPtr x = make(), to = make(), weights = make(), gradient = make(), before = make();
  const std::array<ArrayPtr, 3> z{make(), make(), make()};
  const Field field{z[0].get(), z[1].get(), z[2].get()};
  unsigned seed = 11;
  for (DeviceArray* array : {x.get(), weights.get(), gradient.get(), before.get()})
    backend.upload(normal_noise(array->count(), seed++, 0.7f), *array);
  NeighbourOperations& neighbours = *backend.neighbours();
  const Differences d = make_differences(spacing);
  for (int n = 0; n < 3; ++n) {
    neighbours.ascend(d, *x, 0.4f, 0.5f, field);
    if (weighted) {
      neighbours.descend(d, field, {*x, *x, -0.5f, 1, weights.get(), gradient.get(), before.get()});
    } else {
      neighbours.descend(d, field, {*x, *to, -0.5f, 1});
      backend.copy(*to, *x);
    }
  }
  std::vector<float> all;
  for (const DeviceArray* array : {z[0].get(), z[1].get(), z[2].get(), x.get(), before.get()}) {
    std::vector<float> values(static_cast<std::size_t>(array->count()));
    backend.download(*array, values);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// Odd sizes, including volumes of one slice and of one voxel's thickness.
inline void check_total_variation(Backend& backend, double tolerance) {
  const auto cpu = make_backend("cpu");
  for (const ArrayShape& shape : {ArrayShape{37, 21, 13}, ArrayShape{65, 9, 1}, ArrayShape{1, 7, 5}})
    for (const bool weighted : {false, true}) {
      INFO(shape.n0 << " x " << shape.n1 << " x " << shape.n2 << (weighted ? ", weighted" : ""));
      const auto on = [&](Backend& b) {
        return steps_of_variation(
            b, [&] { return b.make_array(shape); }, Vec3(1, 1.3, 0.6), weighted);
      };
      CHECK(relative_l2(on(backend), on(*cpu)) < tolerance);
    }
}

}  // namespace backlit::test
