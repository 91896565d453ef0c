// Boxes of arrays, in pieces for several threads.
#include <backlit/device/box.hpp>

#include <catch2/catch.hpp>

#include <numeric>

using namespace backlit;

TEST_CASE("Boxes are read, written and added value by value, whatever their size") {
  const ArrayShape shape{83, 71, 67};
  std::vector<float> whole(static_cast<std::size_t>(shape.count()));
  std::iota(whole.begin(), whole.end(), 0.0f);
  const std::vector<Box> boxes{{{0, 0, 0}, {83, 71, 67}}, {{0, 0, 5}, {83, 71, 50}}, {{0, 7, 3}, {83, 60, 61}},
                               {{9, 7, 3}, {70, 60, 61}}, {{80, 0, 0}, {3, 71, 67}}, {{4, 5, 6}, {2, 3, 4}},
                               {{1, 2, 3}, {5, 0, 7}}};
  for (const Box& box : boxes) {
    std::vector<float> part(static_cast<std::size_t>(box.shape().count())), expected;
    for (std::int64_t k = 0; k < box.size[2]; ++k)
      for (std::int64_t j = 0; j < box.size[1]; ++j)
        for (std::int64_t i = 0; i < box.size[0]; ++i)
          expected.push_back(
              static_cast<float>(((box.first[2] + k) * shape.n1 + box.first[1] + j) * shape.n0 + box.first[0] + i));
    read_box(whole, shape, box, part);
    REQUIRE(part == expected);
    std::vector<float> written(whole.size(), -1.0f), added(whole);
    write_box(written, shape, box, part);
    add_box(added, shape, box, part);
    std::int64_t others = 0, wrong = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      others += written[i] == -1.0f && added[i] == whole[i];
      wrong += written[i] != -1.0f && (written[i] != whole[i] || added[i] != 2 * whole[i]);
    }
    CHECK(wrong == 0);
    // Voxel 0 is the same when it is added to itself.
    CHECK(others + box.shape().count() - shape.count() <= 1);
  }
}
