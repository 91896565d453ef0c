#include <sys/resource.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <map>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "io/check_finite.hpp"
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using test::odd_volume;

namespace volume_file_test {
namespace {

void check_same_values(const Volume& a, const Volume& b) {
  REQUIRE(a.grid.size == b.grid.size);
  CHECK(std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end()));
}

void check_same(const Volume& a, const Volume& b) {
  check_same_values(a, b);
  CHECK(glm::distance(a.grid.spacing, b.grid.spacing) < 1e-6);
  CHECK(glm::distance(a.grid.center, b.grid.center) < 1e-5);
}

}  // namespace

TEST_CASE("every volume format gives back what was saved") {
  const test::Scratch folder;
  const Volume volume = odd_volume();
  for (const std::string& extension : volume_extensions()) {
    INFO(extension);
    const auto file = folder / ("volume" + extension);
    if (holds_hounsfield(file)) continue;  // and rounds them: dicom_test.cpp
    save_volume(volume, file);
    const Volume back = load_volume(file);
    check_same_values(volume, back);
    const bool has_geometry = extension != ".npy" && extension != ".tif" && extension != ".tiff";
    CHECK(glm::distance(back.grid.spacing, has_geometry ? volume.grid.spacing : Vec3(1)) < 1e-12);
    CHECK(glm::distance(back.grid.center, has_geometry ? volume.grid.center : Vec3(0)) < 1e-12);
  }
}

TEST_CASE("positions survive MHA to NIfTI to NRRD to HDF5 and back") {
  const test::Scratch folder;
  Volume volume = odd_volume();
  volume.grid.center = {-101.7, 55.3, 1030.9};
  Volume next(volume.grid, volume.values.clone());
  for (const char* name : {"a.mha", "b.nii", "c.nrrd", "d.nii.gz", "e.h5", "f.mhd", "g.zarr"}) {
    INFO(name);
    save_volume(next, folder / name);
    next = load_volume(folder / name);
    check_same_values(volume, next);
    CHECK(glm::distance(volume.grid.spacing, next.grid.spacing) < 1e-6);
    CHECK(glm::distance(volume.grid.first_voxel(), next.grid.first_voxel()) < 1e-3);
  }
}

TEST_CASE("a volume may be changed without changing its file, and its file without changing it") {
  const test::Scratch folder;
  save_volume(odd_volume(), folder / "a.nii");
  {
    Volume changed = load_volume(folder / "a.nii");
    changed.values[0] = 1e6f;
  }
  const Volume kept = load_volume(folder / "a.nii");
  check_same(odd_volume(), kept);
  std::filesystem::resize_file(folder / "a.nii", 400);  // as numpy.save does when it writes a smaller one
  check_same(odd_volume(), kept);
}

TEST_CASE("saving over the volume that is being read is safe") {
  const test::Scratch folder;
  for (const std::string& extension : test::file_extensions()) {
    INFO(extension);
    const auto file = folder / ("a" + extension);
    save_volume(odd_volume(), file);
    const auto lazy = open_stack(file.string());
    const Volume loaded = load_volume(file);
    Volume other = odd_volume();
    for (float& value : other.values) value += 1;
    save_volume(other, file);
    check_same_values(odd_volume(), loaded);
    std::vector<float> values(105);
    lazy->read(0, 3, values);
    CHECK(std::equal(values.begin(), values.end(), loaded.values.begin()));
    check_same_values(other, load_volume(file));
  }
}

TEST_CASE("content decides the format, not the name") {
  const test::Scratch folder;
  for (const std::string extension : {".mha", ".nrrd", ".nii", ".nii.gz", ".tif", ".h5", ".npy"}) {
    INFO(extension);
    save_volume(odd_volume(), folder / ("volume" + extension));
    std::filesystem::rename(folder / ("volume" + extension), folder / "volume.dat");
    check_same_values(odd_volume(), load_volume(folder / "volume.dat"));
  }
}

TEST_CASE("volumes with values that are not finite are refused, naming the first") {
  const test::Scratch folder;
  Volume volume = odd_volume();
  volume.at(4, 2, 1) = std::numeric_limits<float>::quiet_NaN();
  volume.at(5, 2, 2) = std::numeric_limits<float>::infinity();
  save_volume(volume, folder / "a.mha");
  CHECK_THROWS_WITH(load_volume(folder / "a.mha"),
                    Catch::StartsWith((folder / "a.mha").string()) && Catch::Contains("2 of the 105 values") &&
                        Catch::Contains("image 1, row 2, column 4") && Catch::Contains("to .npy"));
  const std::vector<float> image{1, 2, 3, NAN};
  CHECK_THROWS_WITH(check_finite(image, 2, 2, 7, "scan"), Catch::Contains("image 7, row 1, column 1"));
}

TEST_CASE("a volume for the eye has the smallest finite value in place of values that are not finite") {
  const test::Scratch folder;
  Volume volume = odd_volume();
  volume.at(4, 2, 1) = std::numeric_limits<float>::quiet_NaN();
  volume.at(5, 2, 2) = std::numeric_limits<float>::infinity();
  save_volume(volume, folder / "a.mha");
  const ShownVolume shown = load_volume_to_show(folder / "a.mha");
  CHECK(shown.replaced == 2);
  volume.at(4, 2, 1) = volume.at(5, 2, 2) = 1e9f;
  const float least = std::ranges::min(volume.values.span());
  CHECK(shown.volume.at(4, 2, 1) == least);
  CHECK(shown.volume.at(5, 2, 2) == least);
  CHECK(shown.volume.at(0, 1, 2) == volume.at(0, 1, 2));
  for (float& v : volume.values.span()) v = NAN;
  save_volume(volume, folder / "none.mha");
  CHECK_THROWS_WITH(load_volume_to_show(folder / "none.mha"), Catch::Contains("no finite number"));
}

TEST_CASE("formats that are not known are named, with those that are") {
  const test::Scratch folder;
  CHECK_THROWS_WITH(save_volume(odd_volume(), folder / "a.xyz"),
                    Catch::Contains("a.xyz: no format for volumes is called '.xyz'; use .mha, .mhd, .nrrd"));
  CHECK_THROWS_WITH(load_volume(folder / "none.mha"), Catch::Contains("none.mha: does not exist"));
  test::write_bytes(folder / "text.txt", "hello");
  CHECK_THROWS_WITH(load_volume(folder / "text.txt"),
                    Catch::Contains("is in no format known here; known are MetaImage (.mha, .mhd), NRRD") &&
                        Catch::Contains("NumPy array (.npy)"));
  CHECK_THROWS_WITH(load_volume(folder.path()), Catch::Contains("is not a file"));
  CHECK_THROWS_WITH(save_volume(odd_volume(), folder / "no/a.mha"), Catch::Contains("its folder does not exist"));
}

TEST_CASE("volumes that cannot be put in place leave nothing behind") {
  const test::Scratch folder;
  // A file name that is taken by a folder.
  for (const std::string& extension : volume_extensions()) {
    INFO(extension);
    const auto taken = folder / ("taken" + extension);
    std::filesystem::create_directory(taken);
    test::write_bytes(taken / "x", "x");
    CHECK_THROWS_AS(save_volume(odd_volume(), taken), InputError);
    std::filesystem::remove_all(taken);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

namespace {

/// No file of this process may grow beyond `bytes` while it lives: writing more fails, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

/// Names and contents of all files in a folder.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    all[entry.path().filename().string()] = test::file_bytes(entry.path());
  return all;
}

}  // namespace

TEST_CASE("a full disk leaves what was there before, whichever file of a volume it meets") {
  const Volume small(VolumeGrid{{1, 1, 1}, Vec3(1), Vec3(0)}), large(VolumeGrid{{20, 20, 20}, Vec3(1), Vec3(0)});
  for (const std::string& extension : test::file_extensions())
    for (const bool exists : {false, true}) {
      INFO(extension << (exists ? ", over another" : ""));
      const test::Scratch folder;
      const auto file = folder / ("a" + extension);
      if (exists) save_volume(odd_volume(), file);
      const auto before = contents(folder.path());
      const auto save = [&](const Volume& volume, rlim_t bytes) {
        const FullDisk limit(bytes);
        save_volume(volume, file);
      };
      CHECK_THROWS_AS(save(small, 16), Failure);  // the values fit, the header does not
      CHECK(contents(folder.path()) == before);
      if (extension != ".nii.gz") {
        CHECK_THROWS_AS(save(large, 4096), Failure);  // the other way round
        CHECK(contents(folder.path()) == before);
      }
    }
}

TEST_CASE("saving a .mhd does not replace a .raw that belongs to something else") {
  const test::Scratch folder;
  const std::string scan = "counts of a scan";
  test::write_bytes(folder / "a.raw", scan);
  const std::string refusal = (folder / "a.mhd").string() + ": its values would replace " +
                              (folder / "a.raw").string() +
                              ", which belongs to another file; save as .mha, which is one file, or under another name";
  CHECK_THROWS_WITH(check_replaceable(folder / "a.mhd"), refusal);
  CHECK_THROWS_WITH(save_volume(odd_volume(), folder / "a.mhd"), refusal);
  test::write_bytes(folder / "a.mhd", "DimSize = 1 1 1\nElementDataFile = other.raw\n");
  CHECK_THROWS_WITH(save_volume(odd_volume(), folder / "a.mhd"), refusal);
  CHECK(test::file_bytes(folder / "a.raw") == scan);
  CHECK_NOTHROW(check_replaceable(folder / "a.mha"));

  save_volume(odd_volume(), folder / "b.mhd");
  CHECK_NOTHROW(check_replaceable(folder / "b.mhd"));
  save_volume(odd_volume(), folder / "b.mhd");
  check_same(odd_volume(), load_volume(folder / "b.mhd"));
}

TEST_CASE("projections are saved view by view") {
  const test::Scratch folder;
  Scan scan;
  scan.detector.columns = 7;
  scan.detector.rows = 3;
  scan.detector.pixel_u = 0.5;
  scan.detector.pixel_v = 0.25;
  scan.views.resize(5);
  Projections projections(scan);
  for (std::int64_t i = 0; i < projections.values.size(); ++i) projections.values[i] = static_cast<float>(i);
  for (const char* name : {"p.npy", "p.mha", "p.tif"}) {
    INFO(name);
    save_projections(projections, folder / name);
    const auto stack = open_stack((folder / name).string());
    CHECK(stack->info().columns == 7);
    CHECK(stack->info().rows == 3);
    CHECK(stack->info().images == 5);
    std::vector<float> two(42);
    stack->read(2, 2, two);
    CHECK(two[0] == projections.at(2, 0, 0));
    CHECK(two[41] == projections.at(3, 2, 6));
    CHECK_THROWS_WITH(stack->read(4, 2, two), Catch::Contains("images 4 to 5 were asked for of 5"));
  }
  CHECK_THROWS_WITH(save_projections(projections, folder / "p.nii"),
                    Catch::Contains("use .mha, .mhd, .tif, .tiff, .npy"));
}

TEST_CASE("damaged volumes are refused or read, and never worse") {
  const test::Scratch folder;
  const Volume volume = odd_volume();
  for (const std::string& extension : test::file_extensions()) {
    INFO(extension);
    const auto good = folder / ("good" + extension), victim = folder / ("victim" + extension);
    save_volume(volume, good);
    const std::size_t header = extension == ".h5" || extension == ".hdf5" ? 2048 : extension == ".tif" ? 0 : 352;
    const int refused = test::read_damaged(
        good, victim, [](const std::filesystem::path& file) { load_volume(file); }, 120, header);
    CHECK(refused > 30);
  }
}

}  // namespace volume_file_test
