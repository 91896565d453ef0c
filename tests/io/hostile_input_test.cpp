// Names and files that are meant to do harm: control characters, pipes, temporary names that others know.
#include <catch2/catch.hpp>

#include <hdf5.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/core/printable.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/recon/checkpoint.hpp>
#include "io/byte_source.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("Control characters of files do not reach a terminal") {
  using namespace std::string_literals;
  CHECK(printable("\x1b]0;OWNED\x07"s) == "?]0;OWNED?");
  CHECK(printable("a\0b\x7f\rc"s) == "a?b??c");
  CHECK(printable("\xc2\x9b"
                  "31m \xc2\xb5m \xe2\x82\xac"s) == "?31m \xc2\xb5m \xe2\x82\xac");
  CHECK(printable("two\n\tlines") == "two\n\tlines");
  CHECK(std::string(InputError("a\x1b[31m.mhd", "is\0 cut\noff"s, "\x07").what()) == "a?[31m.mhd: is? cut off; ?");
}

TEST_CASE("Pipes and devices are refused, not waited for") {
  const test::Scratch folder;
  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto refused = [](auto&& read) { CHECK_THROWS_AS(read(), InputError); };
  refused([&] { open_bytes(pipe); });
  refused([&] { load_scan(pipe); });
  refused([&] { load_scan_geometry(pipe); });
  refused([&] { read_numbers(pipe.string()); });
  refused([&] { load_volume(pipe.string()); });
  refused([&] { Checkpoint checkpoint(pipe); });
  refused([&] { open_bytes("/dev/zero"); });
  refused([&] { load_scan("/dev/zero"); });
  CHECK_THROWS_WITH(load_scan(pipe), Contains("a pipe or a device, not a file"));
  std::ofstream(folder / "a.scan.toml") << "[detector]\ncolumns = 4\nrows = 3\npixel_mm = 1.0\n[trajectory]\n"
                                           "kind = \"parallel\"\nangles = \"pipe\"\n";
  refused([&] { load_scan_geometry(folder / "a.scan.toml"); });
}

TEST_CASE("HDF5 values that lie in a pipe are refused, and equal volumes are equal files") {
  const test::Scratch folder;
  const fs::path pipe = folder / "pipe", file = folder / "x.h5";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  {
    const hid_t made = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t shape[] = {2, 3, 4};
    const hid_t space = H5Screate_simple(3, shape, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(plist, pipe.c_str(), 0, H5F_UNLIMITED);
    H5Dclose(H5Dcreate2(made, "volume", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(made);
  }
  CHECK_THROWS_WITH(open_stack(file.string()), Contains("a pipe or a device"));
  save_volume(Volume(VolumeGrid{{4, 3, 2}, Vec3(1), Vec3(0)}), (folder / "v.h5").string(), {});
  const hid_t saved = H5Fopen((folder / "v.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(saved, "volume", H5P_DEFAULT);
  H5O_info_t info{};
  CHECK(H5Oget_info(dataset, &info) >= 0);
  CHECK(info.ctime == 0);
  CHECK(info.mtime == 0);
  H5Dclose(dataset);
  H5Fclose(saved);
}

TEST_CASE("Temporary files have names of their own, follow no link and stay as private as what they replace") {
  const test::Scratch folder;
  const fs::path out = folder / "out.mha";
  std::ofstream(out) << "old";
  fs::permissions(out, fs::perms::owner_read | fs::perms::owner_write);
  {
    AtomicFile one(out), two(out);  // as two processes of the same number have them
    CHECK(one.path() != two.path());
    CHECK(one.path().extension() == ".mha");
    CHECK(fs::is_regular_file(one.path()));
    CHECK((fs::status(one.path()).permissions() & fs::perms(077)) == fs::perms::none);
    std::ofstream(one.path()) << "new";
    one.commit();
  }
  CHECK((fs::status(out).permissions() & fs::perms(0777)) == fs::perms(0600));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  const mode_t mask = ::umask(022);
  write_text(folder / "fresh.txt", "x");
  ::umask(mask);
  CHECK((fs::status(folder / "fresh.txt").permissions() & fs::perms(0777)) == fs::perms(0644));
}
