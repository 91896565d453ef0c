// Where HDF5 may keep values: in chunks that were never written, packed by strong filters, or in other files.
#include <hdf5.h>
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

using namespace backlit;
namespace fs = std::filesystem;

namespace hdf5_storage_test {
namespace {

using Shape = std::vector<hsize_t>;

/// A file with the data set /data of 16-bit integers. `set` fills its creation properties; `write` is given the open
/// data set.
void make_file(const fs::path& path, const Shape& shape, const std::function<void(hid_t)>& set,
               const std::function<void(hid_t)>& write = {}) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  if (set) set(plist);
  const hid_t data = H5Dcreate2(file, "data", H5T_STD_U16LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  REQUIRE(data >= 0);
  if (write) write(data);
  H5Dclose(data), H5Pclose(plist), H5Sclose(space), H5Fclose(file);
}

void write_all(hid_t data, const std::vector<double>& values) {
  REQUIRE(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
}

std::vector<float> read_all(const fs::path& path) {
  const auto stack = open_stack(path.string());
  std::vector<float> values(static_cast<std::size_t>(stack->info().pixels() * stack->info().images));
  stack->read(0, stack->info().images, values);
  return values;
}

std::vector<float> counting(int count, double start = 0) {
  const std::vector<double> values = test::counting(count, start);
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("A virtual data set is read from its parts, and a missing part is named") {
  const test::Scratch folder;
  const Shape part{20, 3, 5}, whole{40, 3, 5};
  for (const int i : {0, 1})
    make_file(folder / (i == 0 ? "first.h5" : "second.h5"), part, {},
              [&](hid_t data) { write_all(data, test::counting(300, 300.0 * i)); });
  make_file(folder / "scan.h5", whole, [&](hid_t plist) {
    const hid_t from = H5Screate_simple(3, part.data(), nullptr), to = H5Screate_simple(3, whole.data(), nullptr);
    for (const hsize_t i : {0u, 1u}) {
      const hsize_t start[] = {20 * i, 0, 0};
      H5Sselect_hyperslab(to, H5S_SELECT_SET, start, nullptr, part.data(), nullptr);
      REQUIRE(H5Pset_virtual(plist, to, i == 0 ? "first.h5" : "second.h5", "/data", from) >= 0);
    }
    H5Sclose(from), H5Sclose(to);
  });
  // The file itself is hardly larger than its header: its size says nothing of the values.
  CHECK(read_all(folder / "scan.h5") == counting(600));
  fs::remove(folder / "second.h5");
  CHECK_THROWS_WITH(
      open_stack((folder / "scan.h5").string()),
      Catch::Contains("scan.h5:/data: is made of parts, and second.h5 does not exist; put it beside this file"));
}

TEST_CASE("A link into another file is followed, and sizes are compared with that file's") {
  const test::Scratch folder;
  make_file(folder / "values.h5", {20, 20, 15}, {}, [&](hid_t data) { write_all(data, test::counting(6000)); });
  const hid_t file = H5Fcreate((folder / "master.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(H5Lcreate_external("values.h5", "/data", file, "entry", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  REQUIRE(fs::file_size(folder / "master.h5") < 12000);
  const auto stack = open_stack((folder / "master.h5").string() + ":/entry");
  std::vector<float> values(6000);
  stack->read(0, 20, values);
  CHECK(values == counting(6000));
}

TEST_CASE("Objects that the library cannot read are told with its version") {
  const test::Scratch folder;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate((folder / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hsize_t shape[] = {4, 3, 5};
  const hid_t space = H5Screate_simple(3, shape, nullptr);
  const hid_t data = H5Dcreate2(file, "data", H5T_STD_U16LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  write_all(data, test::counting(60));
  H5Dclose(data), H5Sclose(space), H5Fclose(file), H5Pclose(access);
  CHECK(read_all(folder / "a.h5") == counting(60));
  std::string bytes = test::file_bytes(folder / "a.h5");
  const std::size_t header = bytes.rfind("OHDR");
  REQUIRE(header != std::string::npos);
  bytes[header + 4] = 9;  // the version of the data set's header
  test::write_bytes(folder / "newer.h5", bytes);
  CHECK_THROWS_WITH(open_stack((folder / "newer.h5").string()),
                    Catch::Contains(fmt::format("objects that HDF5 {}.{}.", H5_VERS_MAJOR, H5_VERS_MINOR)) &&
                        Catch::Contains("cannot read: damaged, or of a newer version"));
}

TEST_CASE("External storage is read") {
  const test::Scratch folder;
  test::write_bytes(folder / "values.raw", test::packed<std::uint16_t>(test::counting(6000), false));
  make_file(folder / "a.h5", {20, 20, 15},
            [&](hid_t plist) { H5Pset_external(plist, (folder / "values.raw").c_str(), 0, 12000); });
  CHECK(read_all(folder / "a.h5") == counting(6000));
}

TEST_CASE("Chunks that were not written hold zeros, far too many of them are refused as what they are") {
  const test::Scratch folder;
  const auto chunks_of_one = [](hid_t plist) {
    const hsize_t chunk[] = {1, 30, 50};
    H5Pset_chunk(plist, 3, chunk);
  };
  const auto write_first = [](hid_t data) {
    const hsize_t start[] = {0, 0, 0}, extent[] = {1, 30, 50};
    const hid_t space = H5Dget_space(data), memory = H5Screate_simple(3, extent, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, extent, nullptr);
    const std::vector<double> values = test::counting(1500, 1);
    REQUIRE(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()) >= 0);
    H5Sclose(space), H5Sclose(memory);
  };
  make_file(folder / "some.h5", {40, 30, 50}, chunks_of_one, write_first);
  std::vector<float> expected = counting(1500, 1);
  expected.resize(60000, 0.0f);
  CHECK(read_all(folder / "some.h5") == expected);

  make_file(folder / "few.h5", {1u << 30, 30, 50}, chunks_of_one, write_first);
  CHECK_THROWS_WITH(open_stack((folder / "few.h5").string()),
                    Catch::Contains("few.h5:/data: 1 of its 1073741824 chunks were written, in a file of"));
  make_file(folder / "never.h5", {40, 30, 50}, {});
  CHECK_THROWS_WITH(open_stack((folder / "never.h5").string()),
                    Catch::Contains("never.h5:/data: was never written; write its values first"));
}

TEST_CASE("Values packed by more than deflate can are read when every chunk is there") {
  const test::Scratch folder;
  // Deflate over deflate: zeros shrink far beyond 1032 to 1, as with the filters of detectors.
  const int images = 40, rows = 1000, columns = 1000;
  make_file(
      folder / "a.h5", {images, rows, columns},
      [&](hid_t plist) {
        const hsize_t chunk[] = {images, rows, columns};
        H5Pset_chunk(plist, 3, chunk);
        H5Pset_deflate(plist, 9);
        H5Pset_deflate(plist, 9);
      },
      [&](hid_t data) { write_all(data, std::vector<double>(std::size_t{images} * rows * columns, 0.0)); });
  REQUIRE(fs::file_size(folder / "a.h5") < 2 * std::size_t{images} * rows * columns / 1032);
  const auto stack = open_stack((folder / "a.h5").string());
  std::vector<float> image(std::size_t{rows} * columns, 1.0f);
  stack->read(images - 1, 1, image);
  CHECK(std::all_of(image.begin(), image.end(), [](float v) { return v == 0; }));
}

}  // namespace hdf5_storage_test
