// Room for the volume of the next reconstruction.
#include "model/volume_room.hpp"

#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;

TEST_CASE("A volume that does not fit says what it needs, what is free and what fits") {
  const VolumeGrid large{{1024, 1024, 512}, Vec3(1), Vec3(0)}, small{{512, 512, 512}, Vec3(1), Vec3(0)};
  const Room room{std::int64_t{3} << 30, true};
  CHECK(size_in_words(small) == "512 × 512 × 512, 512 MiB");
  CHECK(room_in_words(room) == "the card has 3 GiB free");
  CHECK(room_in_words({5, false}) == "the machine has 5 B free");
  CHECK(room_in_words({}).empty());
  CHECK(too_large(small, {}, room).empty());
  const std::string why = too_large(large, {}, room);
  CHECK_THAT(why, Contains("1024 × 1024 × 512") && Contains("6 GiB") && Contains("3 GiB free") &&
                      Contains("812 × 812 × 406 fit"));
  CHECK(too_large({{812, 812, 406}, Vec3(1), Vec3(0)}, {}, room).empty());
  CHECK(too_large(large, {}, {}).empty());            // unknown
  CHECK(too_large(large, large, {1, true}).empty());  // it takes the place of one as large
}

TEST_CASE("A size that does not fit begins no run, and the next that fits does") {
  test::Windowless w;
  const auto runs = [&] { return w.model.status().runs; };
  w.act("grid 24");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  REQUIRE(runs() == 1);
  w.model.hooks.room = [] { return Room{std::int64_t{3} << 20, true}; };
  w.act("grid 128");
  CHECK_THAT(w.model.too_large(w.model.state().grid), Contains("128 × 128 × 128") && Contains("3 MiB free"));
  REQUIRE(w.settle());
  CHECK(runs() == 1);
  CHECK(w.model.stale());
  w.act("grid 30");
  REQUIRE(w.settle());
  CHECK(runs() == 2);
  CHECK(w.model.status().grid.size == Size3{30, 30, 30});
  CHECK(w.model.status().errors.empty());
}
