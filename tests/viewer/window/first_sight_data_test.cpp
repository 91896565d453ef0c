// What is seen first of measured scans and volumes, and of those of other toolkits.
#include <fmt/format.h>

#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/window/first_sight.hpp"

using namespace backlit;
using namespace backlit::test;

namespace first_sight_data_test {
namespace {

/// A scan of parallel beams, or with distances, whose values lie in the folder of data.
std::string scan_file(const std::filesystem::path& folder, const std::string& detector, const std::string& trajectory,
                      const std::string& data) {
  const auto file = folder / "it.scan.toml";
  std::ofstream(file) << "[detector]\n" << detector << "\n[trajectory]\n" << trajectory << "\n[data]\n" << data << "\n";
  return file.string();
}

std::string in_quotes(const std::filesystem::path& path) { return "\"" + path.string() + "\""; }

}  // namespace

TEST_CASE("Volumes of MATLAB, and of MRC with values that are no numbers, open to a picture") {
  REQUIRE_VIEWER();
  const auto atoms =
                 data_dir() / "tantalum" / "RESIRE_package_Output_Ta_film_sub_area_reconstruction_ReconObj_sub60.mat",
             pin = data_dir() / "mrc" / "projections.mrc";
  for (const auto& file : {atoms, pin})
    if (!std::filesystem::exists(file)) BACKLIT_SKIP("no " + file.string());
  check_picture(atoms.string());
  check_picture(pin.string());
}

TEST_CASE("A measured tooth opens sharp, and in 3-D, and says that its centre was found") {
  REQUIRE_VIEWER();
  const auto tooth = data_dir() / "tooth" / "tooth.h5";
  if (!std::filesystem::exists(tooth)) BACKLIT_SKIP("no " + tooth.string());
  check_picture(tooth.string(), "set voxel 4\n");
  Viewer viewer;
  viewer.succeed("set font_scale 0.5\nresize 600 400\nset voxel 4\nopen " + tooth.string() +
                 "\nwait done\nwait frames 4\nexpect center_shift == -23.6 1\n"
                 "expect \"centre found\" contains \"column 29\"\nexpect probe contains 1/px\n"
                 "click \"Undo centre\"\nwait done\nexpect center_shift == 0\nexpect errors == 0\n");
}

TEST_CASE("Scans of one row open to a sharp picture: a head, neutrons, a wheel with missing views") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  const auto head = data_dir() / "forbild/FORBILD_head_512_sino.npy",
             rods = data_dir() / "neutron-rods/sinogram_360_neutron_image.tif",
             wheel = data_dir() / "wheel/tb_merged.npz";
  for (const auto& file : {head, rods, wheel})
    if (!std::filesystem::exists(file)) BACKLIT_SKIP("no " + file.string());
  check_picture(scan_file(folder.path(), "rows = 1\npixel_mm = 0.8", "kind = 'parallel'\nstart_deg = -90",
                          "projections = " + in_quotes(head)),
                "set voxel 3\n");
  check_picture(scan_file(folder.path(), "rows = 1\npixel_mm = 1", "kind = 'parallel'\narc_deg = 360",
                          "kind = 'counts'\nopen_beam = 47000\nprojections = " + in_quotes(rods)),
                "set voxel 3\n", "expect center_shift == -6 1\nexpect value > 0.008\n");
  check_picture(scan_file(folder.path(), "rows = 1\npixel_mm = 0.2",
                          "kind = 'circular'\nsource_to_axis_mm = 410.66\nsource_to_detector_mm = 553.74\nangles = " +
                              in_quotes(wheel.string() + ":/angles_deg"),
                          "projections = " + in_quotes(wheel.string() + ":/sino")),
                "set voxel 0.5\n");
}

TEST_CASE("Tilts of a film of tantalum, and 30 degrees of a disc as MATLAB files hold them, open to a picture") {
  REQUIRE_VIEWER();
  const TemporaryFolder folder;
  const auto film = data_dir() / "tantalum/Measured_data_Ta_film_Sub_area_projections_for_sAET_Projections_area60.mat",
             tilts = data_dir() / "tantalum/Measured_data_Ta_film_angles.mat";
  std::vector<std::filesystem::path> discs;
  for (const char* name : {"solid_disc_subsample73", "ta_subsample73", "tc_subsample", "td_subsample"})
    discs.push_back(data_dir() / "wheel" / fmt::format("{}.mat", name));
  for (const auto& file : {film, tilts, discs[0], discs[1], discs[2], discs[3]})
    if (!std::filesystem::exists(file)) BACKLIT_SKIP("no " + file.string());
  // Of three angles a view the second is the tilt; the others are below 0.5 degrees.
  const Volume angles = load_volume(tilts);
  REQUIRE(angles.grid.size[1] == 3);
  std::string list;
  for (std::int64_t i = 0; i < angles.grid.size[0]; ++i) list += fmt::format("{:.3f}, ", angles.at(i, 1, 0));
  check_picture(scan_file(folder.path(), "rows = 57\npixel_mm = 1", "kind = 'parallel'\nangles_deg = [" + list + "]",
                          "projections = " + in_quotes(film)));
  for (const auto& disc : discs)
    check_picture(
        scan_file(folder.path(), "rows = 1\npixel_mm = 0.2",
                  "kind = 'circular'\nsource_to_axis_mm = 410.66\nsource_to_detector_mm = 553.74\nangles = " +
                      in_quotes(disc.string() + ":/CtDataLimited/parameters/angles"),
                  "order = 'view column'\nprojections = " + in_quotes(disc.string() + ":/CtDataLimited/sinogram")),
        "set voxel 0.5\n");
}

TEST_CASE("Images of another toolkit, a scan of Zeiss and a long scanner's point source open to a picture") {
  REQUIRE_VIEWER();
  const auto head = data_dir() / "forbild/FORBILD_head_512.npy", fbp = data_dir() / "forbild/FORBILD_head_512_fbp.npy",
             chip = data_dir() / "vendor/txrm_test_chip_tomo.txrm", point = data_dir() / "safir-91/point_5.clm.safir";
  for (const auto& file : {head, fbp, chip, point})
    if (!std::filesystem::exists(file)) BACKLIT_SKIP("no " + file.string());
  for (const auto& file : {head, fbp}) check_picture(file.string());
  check_picture(chip.string(), "grid 64\n");
  check_picture(point.string(), "grid 24\nset pet.iterations 1\nset pet.subsets 8\n");
}

TEST_CASE("A pin, a frame without a scan and a point source open to a picture") {
  REQUIRE_VIEWER();
  const auto pin = data_dir() / "pin", frame = data_dir() / "xim/FilterBowtie.xim",
             point = data_dir() / "pet-points/coincidencesLM.clm.safir";
  for (const auto& file : {pin, frame, point})
    if (!std::filesystem::exists(file)) BACKLIT_SKIP("no " + file.string());
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(pin))
    std::filesystem::create_symlink(std::filesystem::absolute(entry.path()), folder / entry.path().filename().string());
  std::filesystem::copy_file(source_dir() / "assets/scans/pin.scan.toml", folder / "pin.scan.toml");
  check_picture((folder / "pin.scan.toml").string(), "set voxel 2\n", "expect center_shift == 6.3 0.6\n");
  check_picture(frame.string());
  check_picture(point.string(), "grid 24\nset pet.iterations 1\nset pet.subsets 4\n");
}

}  // namespace first_sight_data_test
