// Bad luck: disks that are full or read-only, programs that are killed. The old file or the whole new one is there
// afterwards, with its mode, and one line says what happened.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <set>

#include <backlit/core/atomic_file.hpp>
#include <backlit/data/volume.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/scan_text.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace backlit;
using namespace backlit::test;
namespace fs = std::filesystem;

namespace faults_test {
namespace {

int shell(const TemporaryFolder& folder, const std::string& line) {
  setenv("BACKLIT", (program_dir() / "backlit").c_str(), 1);
  const int status = std::system(("cd '" + folder.path().string() + "' && { " + line + "; }").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A scan of 24 views, and how a volume of 32 x 32 x 32 is made of it.
struct Head {
  TemporaryFolder folder;

  Head() {
    write_text(folder / "cone.scan.toml", cone_scan_text(31, 25, 16, 24));
    REQUIRE(shell(folder, "$BACKLIT simulate shepp-logan-3d --scan cone.scan.toml -o head.npy -q") == 0);
  }
  static std::string recon(const std::string& output) {
    return "$BACKLIT recon head.scan.toml --backend cpu --grid 32x32x32 -q -o " + output;
  }
  std::string lines_of(const std::string& file) const { return file_bytes(folder / file); }
};

std::int64_t line_count(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// The value that all voxels of a volume have; none when they differ.
std::optional<float> single_value(const fs::path& file) {
  const Volume volume = load_volume(file);
  const float first = volume.values[0];
  const bool all = std::all_of(volume.values.begin(), volume.values.end(), [&](float v) { return v == first; });
  return all ? std::optional(first) : std::nullopt;
}

void save_constant(const fs::path& file, float value) {
  Volume volume(VolumeGrid{{40, 30, 20}, Vec3(1), Vec3(0)});
  for (float& v : volume.values) v = value;
  save_volume(volume, file);
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("A full disk: one line, exit 1, the old file as it was, in every format") {
  const Head head;
  for (const std::string& extension : file_extensions()) {
    if (extension == ".nii.gz") continue;  // small enough to fit
    INFO(extension);
    const std::string file = "v" + extension;
    save_constant(head.folder / file, 7);
    fs::permissions(head.folder / file, fs::perms::owner_read | fs::perms::owner_write);
    const auto before = head.folder.files();
    const std::string bytes = file_bytes(head.folder / file);
    CHECK(shell(head.folder, "( ulimit -f 16; " + Head::recon(file) + " 2> said )") == 1);
    CHECK(line_count(head.lines_of("said")) == 1);
    fs::remove(head.folder / "said");
    CHECK(head.folder.files() == before);
    CHECK(file_bytes(head.folder / file) == bytes);
    CHECK((fs::status(head.folder / file).permissions() & fs::perms(0777)) == fs::perms(0600));
  }
}

TEST_CASE("A quota that is used up: one line, exit 1, the old file as it was, in every format") {
  const fs::path injector = program_dir() / "tests/libfull_quota.so";
  if (sanitized || !fs::exists(injector)) BACKLIT_SKIP("calls cannot be intercepted in this build");
  const Head head;
  for (const std::string& extension : file_extensions()) {
    INFO(extension);
    const std::string file = "v" + extension;
    save_constant(head.folder / file, 7);
    const auto before = head.folder.files();
    const std::string bytes = file_bytes(head.folder / file);
    // Of a compressed file some 100 kB are written, of the others 128 kB and more.
    CHECK(shell(head.folder,
                fmt::format("LD_PRELOAD={} QUOTA=20000 {} 2> said", injector.string(), Head::recon(file))) == 1);
    const std::string said = head.lines_of("said");
    CHECK(line_count(said) == 1);
    CHECK_THAT(said, Catch::Contains(file) || Catch::Contains("quota"));
    fs::remove(head.folder / "said");
    CHECK(head.folder.files() == before);
    CHECK(file_bytes(head.folder / file) == bytes);
  }
}

TEST_CASE("A disk that is truly full: a small file system in memory") {
  const Head head;
  const fs::path disk = head.folder / "disk";
  fs::create_directory(disk);
  if (shell(head.folder, "mount -t tmpfs -o size=160k tmpfs disk 2>/dev/null") != 0)
    BACKLIT_SKIP("this needs the right to mount");
  save_constant(head.folder / "old.mha", 7);
  fs::copy_file(head.folder / "old.mha", disk / "tiny.mha", fs::copy_options::none);
  // Room for an uncompressed file is looked for before any work; a compressed one fills the disk while it is written.
  const int known = shell(head.folder, Head::recon("disk/v.mha") + " 2> known");
  const int full = shell(head.folder, Head::recon("disk/v.nii.gz") + " 2> said");
  // What a .gz inflates to must fit as well.
  save_constant(head.folder / "zeros.nii.gz", 0);
  const int inflated = shell(head.folder, "TMPDIR=disk $BACKLIT compare zeros.nii.gz zeros.nii.gz 2> gz");
  std::set<std::string> left;
  for (const auto& entry : fs::directory_iterator(disk)) left.insert(entry.path().filename().string());
  REQUIRE(shell(head.folder, "umount disk") == 0);
  CHECK(known == 2);
  CHECK(line_count(head.lines_of("known")) == 1);
  CHECK(full == 1);
  CHECK(line_count(head.lines_of("said")) == 1);
  CHECK(inflated == 1);
  CHECK(line_count(head.lines_of("gz")) == 1);
  CHECK_THAT(head.lines_of("gz"), Catch::Contains("when inflated, and"));
  CHECK(left == std::set<std::string>{"tiny.mha"});
}

TEST_CASE("A folder that is read-only: one line before any work, exit 2") {
  const Head head;
  fs::permissions(head.folder.path(), fs::perms(0555));
  const std::string as_nobody = ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  const std::string said = fs::temp_directory_path() / fmt::format("backlit-said-{}", ::getpid());
  const int usable = shell(head.folder, as_nobody + "$BACKLIT --version > " + said + " 2>&1");
  const int code = shell(head.folder, as_nobody + Head::recon("v.mha") + " 2> " + said);
  const std::string text = file_bytes(said);
  fs::remove(said);
  fs::permissions(head.folder.path(), fs::perms(0755));
  if (usable != 0) BACKLIT_SKIP("another user cannot run the program here");
  CHECK(code == 2);
  CHECK(line_count(text) == 1);
  CHECK_THAT(text, Catch::Contains("its folder cannot be written to"));
}

TEST_CASE("Too little memory: one line, exit 1, no file") {
  const Head head;
  CHECK(shell(head.folder,
              "( ulimit -v 900000; $BACKLIT recon head.scan.toml --backend cpu --grid 700x700x700 -q -o v.mha "
              "2> said )") == 1);
  CHECK(line_count(head.lines_of("said")) == 1);
  CHECK_FALSE(fs::exists(head.folder / "v.mha"));
}

TEST_CASE("Two programs that write one file: one of both results, whole, and nothing left over") {
  const TemporaryFolder folder;
  for (const char* name : {"v.mha", "v.nii.gz", "v.h5"}) {
    const fs::path file = folder / name;
    std::vector<pid_t> writers;
    for (const float value : {7.0f, 9.0f}) {
      writers.push_back(::fork());
      if (writers.back() != 0) continue;
      for (int i = 0; i < 20; ++i) save_constant(file, value);
      ::_exit(0);
    }
    for (const pid_t writer : writers) CHECK(wait_for(writer) == 0);
    const auto value = single_value(file);
    INFO(name);
    CHECK((value == 7.0f || value == 9.0f));
  }
  CHECK(folder.files() == std::vector<std::string>{"v.h5", "v.mha", "v.nii.gz"});
}

TEST_CASE("Killed at every step of writing: the old volume or the whole new one") {
  const fs::path injector = program_dir() / "tests/libkill_point.so";
  if (sanitized || !fs::exists(injector)) BACKLIT_SKIP("calls cannot be intercepted in this build");
  const Head head;
  for (const char* extension : {".mha", ".mhd", ".h5"}) {
    const std::string file = std::string("v") + extension;
    int killed = 0;
    for (bool over = false; !over && killed < 100;) {
      save_constant(head.folder / file, 7);  // over what the last one left
      const int code = shell(head.folder, fmt::format("LD_PRELOAD={} KILL_POINT={} {} 2> /dev/null", injector.string(),
                                                      killed + 1, Head::recon(file)));
      INFO(extension << " killed at call " << killed + 1);
      over = code == 0;
      if (!over) REQUIRE(code == 128 + SIGKILL);
      killed += over ? 0 : 1;
      const Volume now = load_volume(head.folder / file);
      const bool old = single_value(head.folder / file) == 7.0f;
      CHECK((old ? now.grid.size == Size3{40, 30, 20} : now.grid.size == Size3{32, 32, 32}));
      if (over) CHECK_FALSE(old);
    }
    CHECK(killed >= 2);
  }
}

TEST_CASE("Killed at random moments: the old volume or the whole new one") {
  const Head head;
  const char* wanted = std::getenv("BACKLIT_KILLS");  // scripts/faults.sh asks for 50
  const int kills = wanted ? std::atoi(wanted) : 10;
  std::mt19937 random(28);
  const std::string program = (program_dir() / "backlit").string();
  for (int i = 0; i < kills; ++i) {
    const std::string file = i % 2 ? "v.mhd" : "v.mha";
    save_constant(head.folder / file, 7);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(head.folder.path().c_str()) != 0) ::_exit(127);
      ::execl(program.c_str(), "backlit", "recon", "head.scan.toml", "--backend", "cpu", "--grid", "32x32x32", "-q",
              "-o", file.c_str(), nullptr);
      ::_exit(127);
    }
    ::usleep(static_cast<useconds_t>(random() % 300'000));
    ::kill(child, SIGKILL);
    wait_for(child);
    const Volume now = load_volume(head.folder / file);
    const bool old = single_value(head.folder / file) == 7.0f;
    CHECK((old ? now.grid.size == Size3{40, 30, 20} : now.grid.size == Size3{32, 32, 32}));
  }
}

namespace {

std::string sirt_on(const std::string& backend) {
  return fmt::format("$BACKLIT recon head.scan.toml --backend {} --method sirt --iterations 3 --grid 16x16x16 -o v.mha",
                     backend);
}

std::string pet_on(const std::string& backend) {
  return fmt::format(
      "$BACKLIT pet rods.cdh --backend {} --iterations 3 --subsets 2 --sensitivity-pairs 20000 "
      "--grid 31x31x11 --voxel 8 -o v.mha",
      backend);
}

/// A command whose device fails at a call to its driver.
std::string failing(const std::string& command, const char* how, int call) {
  const fs::path injector = program_dir() / "tests/libfailing_device.so";
  return fmt::format("LD_PRELOAD={} FAILING_HOW={} FAILING_CALL={} {} > out 2> said", injector.string(), how, call,
                     command);
}

/// Numbers of calls to the driver, spread over a run; none where its backend is not usable.
std::vector<int> calls_of(const TemporaryFolder& folder, const std::string& command, const char* how) {
  if (shell(folder, "FAILING_COUNT=calls " + failing(command, how, 0)) != 0) return {};
  const int calls = std::stoi(file_bytes(folder / "calls"));
  fs::remove(folder / "calls");
  std::vector<int> some;
  for (const double part : {0.05, 0.2, 0.4, 0.6, 0.8, 0.97}) some.push_back(1 + static_cast<int>(part * calls));
  return some;
}

/// A run whose device is lost goes on from its last checkpoint, to the volume that it would have given.
void check_goes_on(const TemporaryFolder& folder, const std::string& run) {
  const std::string command = run + " --checkpoint c --checkpoint-every 1";
  const std::vector<int> calls = calls_of(folder, command, "lost");
  if (calls.empty()) return;
  const Volume whole = load_volume(folder / "v.mha");
  int went_on = 0;
  for (const int call : calls) {
    fs::remove(folder / "c");
    const int code = shell(folder, failing(command + " --on-failure cpu", "lost", call));
    const std::string said = file_bytes(folder / "said");
    INFO(run << ", call " << call << ": " << said);
    REQUIRE(code == 0);
    if (said.find("going on with cpu from iteration") != std::string::npos) ++went_on;
    const Volume volume = load_volume(folder / "v.mha");
    float largest = 0, difference = 0;
    for (std::int64_t i = 0; i < volume.values.size(); ++i) {
      largest = std::max(largest, std::abs(whole.values[i]));
      difference = std::max(difference, std::abs(whole.values[i] - volume.values[i]));
    }
    CHECK(difference < 1e-2f * largest);  // as much as hardware filtering may differ
  }
  INFO(run);
  CHECK(went_on >= 1);
}

}  // namespace

TEST_CASE("A device without room, or lost in mid-run: one line, exit 1, the old file, nothing left over") {
  if (sanitized) BACKLIT_SKIP("calls cannot be intercepted in this build");
  const Head head;
  for (const char* backend : {"gl", "cuda"}) {
    for (const char* how : {"room", "lost"}) {
      const std::vector<int> calls = calls_of(head.folder, sirt_on(backend), how);
      if (calls.empty()) continue;
      int failed = 0;
      for (const int call : calls) {
        save_constant(head.folder / "v.mha", 7);
        const auto before = head.folder.files();
        const std::string bytes = file_bytes(head.folder / "v.mha");
        const int code = shell(head.folder, failing(sirt_on(backend), how, call));
        INFO(backend << " " << how << " " << call << ": " << head.lines_of("said"));
        CHECK((code == 0 || code == 1));  // 0: what there is no room for has another way, or the run asks less often
        CHECK(head.folder.files() == before);
        if (code == 0) continue;
        ++failed;
        CHECK(line_count(head.lines_of("said")) == 1);
        CHECK(file_bytes(head.folder / "v.mha") == bytes);
      }
      INFO(backend << " " << how);
      CHECK(failed >= 2);
    }
  }
}

TEST_CASE("With --on-failure cpu iterations go on from the last checkpoint when the device is lost") {
  if (sanitized) BACKLIT_SKIP("calls cannot be intercepted in this build");
  const Head head;
  for (const char* backend : {"gl", "cuda"}) check_goes_on(head.folder, sirt_on(backend));
}

TEST_CASE("With --on-failure cpu the image of a PET list is finished when the device is lost") {
  if (sanitized) BACKLIT_SKIP("calls cannot be intercepted in this build");
  const TemporaryFolder folder;
  REQUIRE(shell(folder, "$BACKLIT simulate derenzo --listmode --scanner gemini_tf --counts 20000 -q -o rods.cdh") == 0);
  for (const char* backend : {"gl", "cuda"}) check_goes_on(folder, pet_on(backend));
}

TEST_CASE("Failures that are not the device's end a run whatever --on-failure says") {
  const Head head;
  const std::string on_failure = " --on-failure cpu 2> said";
  // No file may grow beyond 4 kB: the checkpoint cannot be written.
  const int code = shell(head.folder, "ulimit -f 4; " + sirt_on("cpu") + " --checkpoint c" + on_failure);
  INFO(head.lines_of("said"));
  CHECK(code == 1);
  CHECK(head.lines_of("said").find("going on") == std::string::npos);
}

}  // namespace faults_test
