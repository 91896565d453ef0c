// Names and files that are meant to do harm: control characters, pipes, temporary names that others know.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/core/printable.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "io/byte_source.hpp"
#include "io/child_process.hpp"
#include "support/io/damage.hpp"
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

TEST_CASE("A child process answers, says what went wrong, and its crash is an error") {
  const std::int64_t here = ::getpid();
  ChildProcess child("file", [](std::int64_t first, std::int64_t count) -> std::vector<std::byte> {
    if (first == 1) throw InputError("a", "b", "c");
    if (first == 2) throw Failure("a", "b");
    if (first == 3) std::vector<char>().at(1);
    if (first == 4) std::raise(SIGSEGV);
    const std::int64_t own = ::getpid();
    const auto bytes = std::as_bytes(std::span(&own, 1));
    return std::vector<std::byte>(bytes.begin(), bytes.begin() + count);
  });
  std::int64_t other = 0;
  child.ask(0, sizeof other, std::as_writable_bytes(std::span(&other, 1)));
  CHECK(other != here);
  CHECK(child.ask(0, 3).size() == 3);
  CHECK_THROWS_AS(child.ask(1, 0), InputError);
  CHECK_THROWS_WITH(child.ask(1, 0), "a: b; c");
  CHECK_THROWS_AS(child.ask(2, 0), Failure);
  CHECK_THROWS_AS(child.ask(3, 0), Failure);
  CHECK(child.ask(0, 3).size() == 3);
  CHECK_THROWS_WITH(child.ask(4, 0), Contains("crashed (signal 11)"));
  CHECK_THROWS_AS(child.ask(0, 3), InputError);
}

TEST_CASE("A file that is changed while it is read is refused") {
  const test::Scratch folder;
  save_volume(Volume(VolumeGrid{{4, 3, 2}, Vec3(1), Vec3(0)}), folder / "v.mha");
  const auto stack = open_stack((folder / "v.mha").string());
  std::vector<float> slice(12);
  stack->read(0, 1, slice);
  fs::last_write_time(folder / "v.mha", fs::last_write_time(folder / "v.mha") + std::chrono::seconds(1));
  CHECK_THROWS_WITH(stack->read(1, 1, slice), Contains("was changed after it was opened"));
  fs::resize_file(folder / "v.mha", fs::file_size(folder / "v.mha") - 4);
  CHECK_THROWS_AS(stack->read(1, 1, slice), InputError);
}

TEST_CASE("A mapped file that is cut ends a program with one line and exit 1") {
  const test::Scratch folder;
  std::ofstream(folder / "v.npy") << std::string(8192, 'x');
  const pid_t program = ::fork();
  if (program == 0) {
    exit_when_mapped_file_is_cut("program");
    const int file = ::open((folder / "v.npy").c_str(), O_RDONLY);
    const int said = ::open((folder / "said").c_str(), O_WRONLY | O_CREAT, 0600);
    auto* const bytes = static_cast<const volatile char*>(::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, file, 0));
    if (::dup2(said, STDERR_FILENO) < 0 || ::truncate((folder / "v.npy").c_str(), 100) != 0) ::_exit(3);
    ::_exit(bytes[5000] == 'x' ? 4 : 5);
  }
  int status = 0;
  REQUIRE(::waitpid(program, &status, 0) == program);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(test::file_bytes(folder / "said") ==
        "program: a file in use was cut, or its disk failed; wait until it is complete, and start again\n");
}

TEST_CASE("A header and its values are one pair while they replace another") {
  const test::Scratch folder;
  const auto volume = [](float value) {
    Volume v(VolumeGrid{{4, 3, 2}, Vec3(1), Vec3(0)});
    for (float& x : v.values) x = value;
    return v;
  };
  const auto names = [&] { return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()); };
  save_volume(volume(1), folder / "v.mhd");
  save_volume(volume(2), folder / "v.mhd");
  CHECK(load_volume(folder / "v.mhd").values[0] == 2);
  CHECK(names() == 2);
  // As a kill leaves it, between the two: the header names values of another name, and saving goes on from there.
  fs::copy_file(folder / "v.raw", folder / ".v.0123456789abcdef.part.raw.raw");
  std::string header = test::file_bytes(folder / "v.mhd");
  header.replace(header.find("v.raw"), 5, ".v.0123456789abcdef.part.raw.raw");
  std::ofstream(folder / "v.mhd") << header;
  CHECK(load_volume(folder / "v.mhd").values[0] == 2);
  save_volume(volume(3), folder / "v.mhd");
  CHECK(load_volume(folder / "v.mhd").values[0] == 3);
}

TEST_CASE("What is replaced keeps its links and its protection") {
  const test::Scratch folder;
  write_text(folder / "target.txt", "old");
  fs::create_directory(folder / "elsewhere");
  fs::create_symlink("../target.txt", folder / "elsewhere/link.txt");
  fs::create_symlink("elsewhere/link.txt", folder / "link.txt");
  write_text(folder / "link.txt", "new");
  CHECK(fs::is_symlink(folder / "link.txt"));
  CHECK(test::file_bytes(folder / "target.txt") == "new");
  fs::permissions(folder / "target.txt", fs::perms::owner_read);
  CHECK_THROWS_WITH(write_text(folder / "target.txt", "x"), Contains("is write-protected"));
  CHECK_THROWS_WITH(write_text(folder / "link.txt", "x"), Contains("is write-protected"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(write_text(folder / "pipe", "x"), Contains("is no file that could be replaced"));
  CHECK_THROWS_WITH(write_text(folder / "elsewhere", "x"), Contains("is no file that could be replaced"));
  if (::geteuid() != 0) return;
  write_text(folder / "owned.txt", "old");
  REQUIRE(::chown((folder / "owned.txt").c_str(), 1234, 1235) == 0);
  write_text(folder / "owned.txt", "new");
  struct stat now {};
  REQUIRE(::stat((folder / "owned.txt").c_str(), &now) == 0);
  CHECK(now.st_uid == 1234);
  CHECK(now.st_gid == 1235);
}

TEST_CASE("What a killed writer left behind goes after a day, and nothing else does") {
  const test::Scratch folder;
  const auto age = [&](const char* name, int hours) {
    write_text(folder / name, "x");
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    return folder / name;
  };
  const fs::path old = age(".out.0123456789abcdef.part.mha", 25), fresh = age(".out.1123456789abcdef.part.mha", 23),
                 other = age(".in.0123456789abcdef.part.mha", 25), longer = age(".out.0123456789abcdef.x.part.mha", 25);
  write_text(folder / "out.mha", "x");
  CHECK_FALSE(fs::exists(old));
  for (const fs::path& kept : {fresh, other, longer}) CHECK(fs::exists(kept));
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
