// Ctrl-C in the middle of reading, writing and searching: the work stops there and leaves nothing behind.
#include <catch2/catch.hpp>

#include <functional>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/preprocess/rotation_center.hpp>
#include "support/scratch.hpp"

using namespace backlit;

namespace {

/// Asks to stop as soon as `stage` has begun.
class StopIn final : public Progress {
 public:
  explicit StopIn(std::string stage) : stage_(std::move(stage)) {}
  void begin(std::string_view stage, std::int64_t, std::string_view) override {
    if (stage == stage_) cancel.request();
  }
  CancelToken cancel;

 private:
  std::string stage_;
};

void check_stops(const char* stage, const std::function<void(const Watch&)>& work) {
  INFO(stage);
  StopIn progress(stage);
  CHECK_THROWS_AS(work(Watch(progress, progress.cancel)), Cancelled);
}

Volume tall() { return Volume(VolumeGrid{{64, 64, 2048}, Vec3(1), Vec3(0)}); }  // 32 MiB: two batches

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("saving stops between slices, in every format, and leaves nothing behind") {
  const test::Scratch folder;
  const Volume volume = tall();
  for (const std::string& extension : volume_extensions()) {
    INFO(extension);
    check_stops("write", [&](const Watch& watch) { save_volume(volume, folder / ("v" + extension), watch); });
    CHECK(entries(folder / ".") == 0);
  }
  Scan scan;
  scan.detector.columns = scan.detector.rows = 64;
  scan.views.resize(2048);
  const Projections views(scan);
  check_stops("write", [&](const Watch& watch) { save_projections(views, folder / "p.npy", watch); });
  CHECK(entries(folder / ".") == 0);
}

TEST_CASE("loading stops between slices, whether they are copied, converted or unpacked") {
  const test::Scratch folder;
  const Volume volume = tall();
  for (const char* name : {"v.mha", "v.nii.gz", "v.h5", "v.tif"}) {
    save_volume(volume, folder / name);
    check_stops("read", [&](const Watch& watch) { load_volume(folder / name, watch); });
  }
}

TEST_CASE("the search for the rotation centre stops between candidates") {
  Detector d;
  d.columns = 200;
  d.rows = 1;
  Projections views({d, circular_views(d, equal_angles(90), 600, 900)});
  for (float& v : views.values) v = 1;
  MemorySource source(std::move(views));
  check_stops("find center", [&](const Watch& watch) { find_center(source, watch); });
}

TEST_CASE("a stack is written image by image, and only whole") {
  const test::Scratch folder;
  Scan scan;
  scan.detector.columns = 7;
  scan.detector.rows = 3;
  scan.views.resize(5);
  std::vector<float> image(21);
  for (const char* name : {"p.npy", "p.mha", "p.mhd", "p.tif"}) {
    INFO(name);
    {
      const auto writer = create_projections(scan, folder / name);
      writer->write(std::vector<float>(42, 1.5f));
      CHECK_THROWS_WITH(writer->commit(), Catch::Contains("only 2 of 5 images were made"));
      CHECK_THROWS_WITH(writer->write(std::vector<float>(20)), Catch::Contains("20 values"));
      CHECK_THROWS_WITH(writer->write(std::vector<float>(84)), Catch::Contains("after 2 of 5 images of 21 pixels"));
    }
    CHECK(entries(folder / ".") == 0);
    const auto writer = create_projections(scan, folder / name);
    for (int i = 0; i < 5; ++i) {
      image.assign(21, static_cast<float>(i));
      writer->write(image);
    }
    writer->commit();
    const auto all = open_stack((folder / name).string())->read_all();
    REQUIRE(all.size() == 105);
    for (std::int64_t i = 0; i < 105; ++i) CHECK(all[i] == static_cast<float>(i / 21));
    std::filesystem::remove(folder / name);
    std::filesystem::remove(folder / "p.raw");
  }
}
