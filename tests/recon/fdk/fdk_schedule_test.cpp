// Batches of views and slabs of slices, as a pipeline plans them.
#include <catch2/catch.hpp>

#include "recon/fdk/fdk_schedule.hpp"

using namespace backlit;

TEST_CASE("Batches grow, hold whole layers and cover all of them once") {
  CHECK(layer_batches(124, 4, {8, 16, 24, 32}) == std::vector<Run>{{0, 2},
                                                                   {2, 4},
                                                                   {6, 6},
                                                                   {12, 8},
                                                                   {20, 8},
                                                                   {28, 8},
                                                                   {36, 8},
                                                                   {44, 8},
                                                                   {52, 8},
                                                                   {60, 8},
                                                                   {68, 8},
                                                                   {76, 8},
                                                                   {84, 8},
                                                                   {92, 8},
                                                                   {100, 8},
                                                                   {108, 8},
                                                                   {116, 8}});
  CHECK(layer_batches(37, 1, {8, 16, 24}) == std::vector<Run>{{0, 8}, {8, 16}, {24, 13}});
  CHECK(layer_batches(5, 4, {6}) == std::vector<Run>{{0, 2}, {2, 2}, {4, 1}});
  CHECK(layer_batches(3, 4, {1}) == std::vector<Run>{{0, 1}, {1, 1}, {2, 1}});
  CHECK(layer_batches(0, 4, {8}).empty());
}

TEST_CASE("Slabs lie at multiples of a step and cover all slices once") {
  CHECK(z_slabs(512, {3, 1}, 16) == std::vector<Run>{{0, 384}, {384, 128}});
  CHECK(z_slabs(100, {3, 1}, 16) == std::vector<Run>{{0, 80}, {80, 20}});
  CHECK(z_slabs(17, {3, 1}, 16) == std::vector<Run>{{0, 16}, {16, 1}});
  CHECK(z_slabs(1, {3, 1}, 16) == std::vector<Run>{{0, 1}});
  CHECK(z_slabs(40, {1}, 16) == std::vector<Run>{{0, 40}});
  CHECK(z_slabs(64, {1, 1, 1, 1}, 16) == std::vector<Run>{{0, 16}, {16, 16}, {32, 16}, {48, 16}});
}
