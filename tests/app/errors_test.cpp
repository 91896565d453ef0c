// Bad input gives one clear line, the right exit code, and leaves nothing behind.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include <backlit/core/atomic_file.hpp>
#include "support/io/scan_text.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

void make_scan(const TemporaryFolder& folder, int columns = 31, int rows = 25, int views = 24) {
  write_text(folder / "cone.scan.toml", cone_scan_text(columns, rows, 16, views));
  REQUIRE(
      run_backlit(folder.path(), {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "scan.npy"}).code ==
      0);
}

/// Exit code 2, exactly one line on standard error that holds `text`, no new file.
void check_refused(const TemporaryFolder& folder, const std::vector<std::string>& arguments, const std::string& text) {
  const auto before = folder.files();
  const auto r = run_backlit(folder.path(), arguments);
  INFO(r.err);
  CHECK(r.code == 2);
  CHECK(r.out.empty());
  CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
  CHECK(r.err.rfind("backlit: ", 0) == 0);
  CHECK_THAT(r.err, Catch::Contains(text));
  CHECK(folder.files() == before);
}

}  // namespace

TEST_CASE("mistakes on the command line are named") {
  const TemporaryFolder folder;
  check_refused(folder, {}, "backlit --help");
  check_refused(folder, {"reconstruct"}, "backlit --help");
  check_refused(folder, {"recon"}, "backlit recon --help");
  check_refused(folder, {"help", "recon"}, "there is no command 'help'; see backlit recon --help");
  check_refused(folder, {"recon", "s.scan.toml", "-o", "v.mha", "--colour", "red"}, "--colour");
  check_refused(folder, {"recon", "s.scan.toml", "-o", "v.mha", "--method", "magic"}, "choose one of fdk");
  check_refused(folder, {"recon", "s.scan.toml", "-o", "v.mha", "--cutoff", "7"}, "--cutoff: 7 is outside");
  check_refused(folder, {"recon", "s.scan.toml", "-o", "v.mha", "--cutoff", "high"},
                "--cutoff: 'high' is not a number");
  check_refused(folder, {"recon", "s.scan.toml", "-o", ""}, "output: its name is empty; name a file");
  check_refused(folder, {"recon", "s.scan.toml", "-o", "v.mha", "--iterations", "5"},
                "--iterations: fdk does not take it; use --method ifdk, sirt, ");
  check_refused(folder, {"recon", "s.scan.toml", "-o", "v.mha", "--method", "sirt", "--filter", "hann"},
                "--filter: needs --initial fdk or hfdk with --method sirt");
  check_refused(folder, {"project", "a.mha", "--scan", "s.scan.toml", "-o", "p.npy", "--step", "1"},
                "--step: needs --model raycast");
  // What --variant said has flags of its own; kernels of studies have none.
  const auto old = [&](const char* command, const char* text, const char* why) {
    std::vector<std::string> line{command, "s.scan.toml", "-o", "v.mha", "--variant", text};
    if (command == std::string("project")) line = {command, "a.mha", "--scan", "s", "-o", "p.npy", "--variant", text};
    check_refused(folder, line, why);
  };
  old("recon", "transform=fragment,accumulate=ping_pong",
      "--variant: was removed; write --shader mp --accumulate ping-pong\n");
  old("recon", "in_place,matched", "write --method sart_in_place --matched\n");
  old("project", "draw=compute,stack=view", "write --pipeline compute --stack view\n");
  old("pet", "draw=fragment", "write --pipeline fragment\n");
  old("recon", "kernel_b", "--variant: names a kernel of studies, 'kernel_b'; time it with backlit bench\n");
  check_refused(
      folder, {"project", "a.mha", "--scan", "s.scan.toml", "-o", "p.npy", "--model", "emission", "--packing", "orbit"},
      "packing: emission has no packing; use --packing auto");
}

TEST_CASE("bench refuses what nothing would look at") {
  const TemporaryFolder folder;
  const auto refused = [&](std::vector<std::string> more, const std::string& text) {
    more.insert(more.begin(), {"bench", "cone64"});
    check_refused(folder, more, text);
  };
  refused({"--method", "osem"}, "method: only iterations take it; add --operation iteration");
  refused({"--operation", "iteration", "--model", "raycast", "--step", "0.3"},
          "step: only projections and transposes by raycast take it");
  refused({"--model", "blob"}, "model: only rays have models; add --operation projection, transpose or");
  refused({"--operation", "slice", "--size", "64"}, "size: only pictures have one; add --operation render or d2vr");
  refused({"--operation", "projection", "--window", "hann"}, "window: nothing is filtered; add --operation fdk");
  refused({"--operation", "projection", "--scatter", "4"}, "scatter: only emission has it; add --model");
  refused({"--operation", "projection", "--model", "emission", "--packing", "orbit"},
          "packing: emission has no packing");
  refused({"--operation", "fdk", "--supersample", "4"}, "supersample: no head is simulated; add --rmse");
  refused({"--operation", "filter", "--packing", "orbit"}, "packing: filters have one precision and no packing");
  refused({"--operation", "filter", "--variant", "host;fast"},
          "variant: there is no filter 'fast'; choose host, fft or");
  refused({"--operation", "transpose", "--model", "siddon", "--rmse"}, "rmse: its error is not measured; leave it out");
  refused({"--operation", "render", "--timings"}, "timings: no passes are timed there; leave it out");
  refused({"--events", "1"}, "events: only lines of response have it; add a case such as lm75");
  refused({"--trace", "t.json"}, "trace: only fdk has stages; add --operation fdk");
  refused({"--operation", "iteration", "--variant", "all"}, "variant: iterations are timed with one variant");
}

TEST_CASE("missing and broken input files are named") {
  const TemporaryFolder folder;
  check_refused(folder, {"recon", "none.scan.toml", "-o", "v.mha"}, "none.scan.toml");
  check_refused(folder, {"compare", "a.mha", "b.mha"}, "a.mha");
  check_refused(folder, {"info", "a.mha"}, "a.mha");
  check_refused(folder, {"render", "a.mha", "-o", "a.png"}, "a.mha");
  check_refused(folder, {"project", "a.mha", "--scan", "b.scan.toml", "-o", "c.npy"}, "a.mha");
  make_scan(folder);
  write_text(folder / "typo.scan.toml", cone_scan_text(31, 25, 16, 24) + "source_to_axes_mm = 3\n");
  check_refused(folder, {"recon", "typo.scan.toml", "-o", "v.mha"}, "source_to_axes_mm");
  check_refused(folder, {"recon", "cone.scan.toml", "-o", "v.mha"}, "has no [data]");
  check_refused(folder, {"simulate", "no-such-head", "--scan", "cone.scan.toml", "-o", "x.npy"}, "no-such-head");
}

TEST_CASE("outputs that cannot be written are found before the work") {
  const TemporaryFolder folder;
  make_scan(folder);
  check_refused(folder, {"recon", "scan.scan.toml", "-o", "nowhere/v.mha"}, "nowhere/v.mha: its folder does not exist");
  check_refused(folder, {"recon", "scan.scan.toml", "-o", "v.xyz"}, "choose one of .mha");
  check_refused(folder, {"recon", "scan.scan.toml", "-o", "good.mha", "-o", "v.xyz"}, "v.xyz");
  check_refused(folder, {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "v.mp3"},
                "choose one of .mha, .mhd, .tif, .tiff, .npy");
  check_refused(folder, {"render", "scan.scan.toml", "-o", "v.jpg"}, "choose one of .png");
  if (::geteuid() != 0) {
    ::mkdir((folder / "locked").c_str(), 0500);
    check_refused(folder, {"recon", "scan.scan.toml", "-o", "locked/v.mha"}, "cannot be written");
  }
}

TEST_CASE("grids, centres and windows that make no sense are refused") {
  const TemporaryFolder folder;
  make_scan(folder);
  const auto recon = [](std::vector<std::string> more) {
    std::vector<std::string> all{"recon", "scan.scan.toml", "-o", "v.mha", "--backend", "cpu"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  check_refused(folder, recon({"--grid", "10x10"}),
                "--grid: '10x10' is not understood; give it like 256x256x200 or 256");
  check_refused(folder, recon({"--grid", "0x10x10"}), "--grid: 0 voxels along x");
  check_refused(folder, recon({"--grid", "1e9"}), "--grid");
  check_refused(folder, recon({"--voxel=-1"}), "--voxel");
  check_refused(folder, recon({"--center", "left"}),
                "--center: 'left' is neither 'find' nor a column; 'find' looks for it");
  check_refused(folder, recon({"--center", "1e6"}), "far off the detector");
  check_refused(folder, recon({"--stripes", "4"}), "the window must be odd");
  check_refused(folder, recon({"--stripe-method", "mean"}), "give --stripes too");
  check_refused(folder, {"render", "scan.scan.toml", "-o", "p.png", "--view", "99"}, "--view: 99 of 24 views");
  check_refused(folder, {"render", "scan.scan.toml", "-o", "p.png", "--view", "-3"},
                "--view: -3 of 24 views; views are counted");
  check_refused(folder, {"render", "scan.npy", "-o", "p.png", "--view", "3"}, "--view: it chooses a view of a scan");
  check_refused(folder, {"render", "scan.npy", "-o", "p.png", "--title", "T"}, "--title: it belongs to sheets");
  check_refused(folder, {"render", "scan.npy", "-o", "p.png", "--mode", "mip", "--position", "3"}, "--position: ");
  check_refused(folder, {"render", "scan.scan.toml", "-o", "p.png", "--axis", "x"}, "--axis: ");
  check_refused(folder, {"render", "scan.scan.toml", "-o", "p.png", "--window", "3,2"}, "--window");
  check_refused(folder, {"compare", "scan.npy", "scan.scan.toml", "--grid", "3"}, "--grid");
  check_refused(folder, {"compare", "scan.npy", "scan.npy", "--slices", "5", "24"},
                "--slices: 5 to 24: there are slices 0 to 23; give the first one and the last one");
  check_refused(folder, {"compare", "scan.npy", "scan.npy", "--by-slice", "t.txt"}, "t.txt");
}

TEST_CASE("arrays of different sizes do not compare") {
  const TemporaryFolder folder;
  make_scan(folder);
  write_text(folder / "other.scan.toml", cone_scan_text(33, 25, 16, 24));
  REQUIRE(run_backlit(folder.path(), {"simulate", "water-cylinder", "--scan", "other.scan.toml", "-o", "o.npy"}).code ==
          0);
  check_refused(folder, {"compare", "scan.npy", "o.npy"},
                "scan.npy: has 31 x 25 x 24 values, o.npy has 33 x 25 x 24; give volumes of equal size");
}

TEST_CASE("Ctrl-C stops a reconstruction and leaves nothing behind") {
  const TemporaryFolder folder;
  make_scan(folder, 61, 61, 360);
  const auto before = folder.files();
  const auto r =
      run_backlit(folder.path(), {"recon", "scan.scan.toml", "-o", "v.mha", "--backend", "cpu", "--grid", "400"}, 700);
  INFO(r.err);
  CHECK(r.code == 130);
  CHECK(r.err == "backlit: stopped on request\n");
  CHECK(folder.files() == before);
}

TEST_CASE("Ctrl-C stops the search for the rotation centre") {
  const TemporaryFolder folder;
  constexpr int columns = 1000, rows = 1000, views = 3000;
  write_text(folder / "cone.scan.toml", cone_scan_text(columns, rows, 1, views) +
                                            "[data]\nprojections = \"big.npy\"\nkind = \"line_integrals\"\n");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3000, 1000, 1000), }";
  header.append(117 - header.size(), ' ').append("\n");
  write_text(folder / "big.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header);
  std::filesystem::resize_file(folder / "big.npy", 128 + std::uintmax_t{4} * columns * rows * views);  // all holes
  const auto r = run_backlit(folder.path(),
                             {"recon", "cone.scan.toml", "-o", "v.mha", "--backend", "cpu", "--center", "find"}, 700);
  INFO(r.err);
  CHECK(r.code == 130);
  CHECK(r.err == "backlit: stopped on request\n");
  CHECK_FALSE(std::filesystem::exists(folder / "v.mha"));
}

TEST_CASE("Ctrl-C stops loading a volume") {
  const TemporaryFolder folder;
  std::string header =
      "ObjectType = Image\nNDims = 3\nElementSpacing = 1 1 1\nOffset = 0 0 0\nDimSize = 2000 2000 2000\n"
      "ElementType = MET_FLOAT\nBinaryDataByteOrderMSB = False\nElementDataFile = LOCAL\n";
  write_text(folder / "big.mha", header);
  std::filesystem::resize_file(folder / "big.mha",
                               header.size() + std::uintmax_t{4} * 2000 * 2000 * 2000);  // all holes
  const auto r = run_backlit(folder.path(), {"render", "big.mha", "-o", "p.png"}, 300);
  INFO(r.err);
  CHECK(r.code == 130);
  CHECK(r.err == "backlit: stopped on request\n");
  CHECK(folder.files() == std::vector<std::string>{"big.mha"});
}

TEST_CASE("Ctrl-C stops a simulation that streams to the disk, and leaves nothing behind") {
  const TemporaryFolder folder;
  write_text(folder / "cone.scan.toml", cone_scan_text(400, 300, 1, 2000));
  const auto before = folder.files();
  const auto r = run_backlit(
      folder.path(), {"simulate", "forbild-head", "--scan", "cone.scan.toml", "-o", "p.npy", "--scale", "0.1"}, 700);
  INFO(r.err);
  CHECK(r.code == 130);
  CHECK(folder.files() == before);
}

TEST_CASE("every command explains itself with units and an example") {
  const TemporaryFolder folder;
  for (const std::string command : {"simulate", "project", "recon", "compare", "info", "render"}) {
    const auto r = run_backlit(folder.path(), {command, "--help"});
    INFO(command);
    CHECK(r.code == 0);
    CHECK_THAT(r.out, Catch::Contains("mm"));
    CHECK_THAT(r.out, Catch::Contains("Example: backlit " + command));
    if (command == "recon") CHECK_THAT(r.out, Catch::Contains("--help METHOD") && Catch::Contains("default"));
  }
  CHECK_THAT(run_backlit(folder.path(), {"--version"}).out, Catch::Contains("backlit "));
}

TEST_CASE("quiet programs say nothing") {
  const TemporaryFolder folder;
  make_scan(folder);
  const auto r = run_backlit(folder.path(), {"recon", "scan.scan.toml", "-o", "v.mha", "--backend", "cpu", "--quiet"});
  CHECK(r.code == 0);
  CHECK(r.out.empty());
  CHECK(r.err.empty());
  CHECK(std::filesystem::exists(folder / "v.mha"));
}

TEST_CASE("no command overwrites what it reads") {
  const TemporaryFolder folder;
  make_scan(folder);
  const auto slurp = [&](const std::string& name) {
    std::ifstream in(folder / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto check_kept = [&](const std::string& kept, const std::vector<std::string>& arguments) {
    const std::string before = slurp(kept);
    REQUIRE_FALSE(before.empty());
    check_refused(folder, arguments, "would overwrite an input of this command; give the output another name");
    const bool unchanged = slurp(kept) == before;
    CHECK(unchanged);
  };
  check_kept("scan.npy", {"recon", "scan.scan.toml", "-o", "scan.npy", "--backend", "cpu"});
  check_kept("scan.npy", {"recon", "scan.scan.toml", "-o", "v.mha", "-o", "./scan.npy", "--backend", "cpu"});
  std::filesystem::create_hard_link(folder / "scan.npy", folder / "link.npy");
  check_kept("scan.npy", {"recon", "scan.scan.toml", "-o", "link.npy", "--backend", "cpu"});
  check_kept("cone.scan.toml", {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "cone.npy"});
  check_refused(folder, {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "x.npy", "--truth", "x.npy"},
                "x.npy: would be written twice");

  // Data beside a header, and lists of angles.
  REQUIRE(
      run_backlit(folder.path(), {"recon", "scan.scan.toml", "-o", "v.mhd", "--backend", "cpu", "--grid", "9"}).code ==
      0);
  write_text(folder / "other.mhd", slurp("v.mhd"));  // its values are in v.raw
  write_text(folder / "detached.scan.toml",
             "[detector]\n[trajectory]\nkind = \"parallel\"\n[data]\nprojections = \"other.mhd\"\n");
  check_kept("v.raw", {"recon", "detached.scan.toml", "-o", "v.mhd", "--backend", "cpu"});
  write_text(folder / "angles.npy", "0\n120\n240\n");
  write_text(folder / "list.scan.toml",
             "[detector]\ncolumns = 9\nrows = 5\npixel_mm = 16\n[trajectory]\nkind = \"circular\"\n"
             "source_to_axis_mm = 600\nsource_to_detector_mm = 1200\nangles = \"angles.npy\"\n");
  check_kept("angles.npy", {"simulate", "water-cylinder", "--scan", "list.scan.toml", "-o", "angles.npy"});
}

TEST_CASE("a place that takes no files, and a volume larger than the disk, are bad input") {
  const TemporaryFolder folder;
  make_scan(folder);
  check_refused(folder, {"recon", "scan.scan.toml", "-o", "/proc/x.mha"}, "/proc/x.mha: ");
  check_refused(folder, {"recon", "scan.scan.toml", "-o", "v.mha", "--grid", "60000"}, "GiB left");
}

TEST_CASE("FDK says what a scan lacks") {
  const TemporaryFolder folder;
  const auto recon = [&](const std::string& text, const std::vector<std::string>& simulate, const std::string& method,
                         const std::string& output) {
    write_text(folder / "case.scan.toml", text);
    std::vector<std::string> words{"simulate", "water-cylinder", "--scan", "case.scan.toml", "-o", "p.npy", "-q"};
    words.insert(words.end(), simulate.begin(), simulate.end());
    REQUIRE(run_backlit(folder.path(), words).code == 0);
    std::vector<std::string> arguments{"recon", "p.scan.toml", "-o", output, "--backend", "cpu", "--method", method};
    if (method != "fdk") arguments.insert(arguments.end(), {"--iterations", "1"});
    const auto r = run_backlit(folder.path(), arguments);
    CHECK(r.code == 0);
    return r.err;
  };
  const auto wide = cone_scan_text(61, 5, 16, 24);
  CHECK(recon(wide, {}, "fdk", "v.mha").empty());  // 488 mm at the axis: the cylinder fits
  CHECK_THAT(recon(wide, {}, "fdk", "v.npy"),
             Catch::Equals("backlit: v.npy: .npy files do not keep the voxel size; .mha, .mhd, .nrrd, .nii, .nii.gz, "
                           ".h5, .hdf5, .zarr, .dicom do\n"));
  CHECK_THAT(recon(wide, {"--scale", "4"}, "fdk", "v.mha"), Catch::Contains("projections are cut off at the detector"));
  CHECK_THAT(recon(cone_scan_text(61, 5, 16, 2), {}, "fdk", "v.mha"),
             Catch::Equals("backlit: 2 views of 61 columns are too few for FDK (say 16): expect streaks; --method sirt "
                           "or cgls does better with few\n"));
  CHECK(recon(cone_scan_text(61, 5, 16, 2), {}, "cgls", "v.mha").empty());
  std::string half = wide;  // a displaced detector sees past the object on one side only
  half.replace(half.find("[trajectory]"), 0, "offset_px = [-24.0, 0.0]\n");
  CHECK(recon(half, {"--scale", "0.9"}, "fdk", "v.mha").empty());
}

TEST_CASE("A helix takes hfdk by itself, and recon says so") {
  const TemporaryFolder folder;
  write_text(folder / "h.scan.toml",
             "[detector]\ncolumns = 31\nrows = 7\npixel_mm = 12\n[trajectory]\nkind = \"helical\"\n"
             "source_to_axis_mm = 600\nsource_to_detector_mm = 1200\nviews = 48\narc_deg = 720\npitch_mm = 30\n");
  REQUIRE(
      run_backlit(folder.path(), {"simulate", "water-cylinder", "--scan", "h.scan.toml", "-o", "p.npy", "-q"}).code ==
      0);
  const auto recon = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"recon", "p.scan.toml", "-o", "v.mha", "--backend", "cpu", "--voxel", "20"};
    words.insert(words.end(), more.begin(), more.end());
    return run_backlit(folder.path(), words);
  };
  const auto chosen = recon({"--filter", "hann"});
  CHECK(chosen.code == 0);
  CHECK_THAT(chosen.out, Catch::Contains("hfdk") && Catch::Contains(", since the trajectory is a helix\n"));
  const auto named = recon({"--method", "hfdk"});
  CHECK(named.code == 0);
  CHECK_THAT(named.out, !Catch::Contains("since"));
  CHECK_THAT(recon({"--json"}).out, Catch::Contains("\"method_from\": \"the trajectory is a helix\""));
  const auto fdk = recon({"--method", "fdk"});
  CHECK(fdk.code == 2);
  CHECK_THAT(fdk.err, Catch::Contains("use --method hfdk"));
  const auto forced = recon({"--force"});
  CHECK(forced.code == 0);
  CHECK_THAT(forced.out, !Catch::Contains("hfdk"));
  const auto part = recon({"--views", "0:20"});
  CHECK(part.code == 2);
  CHECK_THAT(part.err,
             Catch::Contains("--method hfdk does not take it (there is less than a turn); use --method sirt"));
}

TEST_CASE("recon's help is short, a method has a page of its own, and --help-all has everything") {
  const TemporaryFolder folder;
  const auto help = [&](const std::vector<std::string>& arguments) {
    const auto r = run_backlit(folder.path(), arguments);
    CHECK(r.code == 0);
    CHECK(r.err.empty());
    return r.out;
  };
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string page = help({"recon", "--help"}), sirt = help({"recon", "--help", "sirt"}),
                    all = help({"recon", "--help-all"});
  CHECK(lines(page) <= 60);
  for (const std::string& text : {page, sirt, all}) {
    std::istringstream each(text);
    for (std::string line; std::getline(each, line);) CHECK(line.size() <= 100);
  }
  CHECK_THAT(page, Catch::Contains("--method") && Catch::Contains("--center") && Catch::Contains("sirt ") &&
                       !Catch::Contains("--penalty"));
  CHECK_THAT(sirt, Catch::Contains("--relaxation") && Catch::Contains("--checkpoint-every") &&
                       Catch::Contains("needs --checkpoint") && !Catch::Contains("--penalty"));
  CHECK_THAT(all, Catch::Contains("--relaxation-decay") && Catch::Contains("--penalty") &&
                      Catch::Contains("--cutoff") && Catch::Contains("[pwls]"));
  CHECK(lines(all) > lines(page));
}
