// DICOM-CT-PD made from its description, apart from the engine's own writer and geometry.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include <backlit/recon/reconstruction.hpp>
#include <backlit/recon/session.hpp>
#include "support/io/clinical_scanner.hpp"
#include "support/io/damage.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/real_data.hpp"
#include "support/io/scan_folder.hpp"

namespace backlit::ct_pd_test {
namespace {

namespace fs = std::filesystem;
using test::ClinicalScanner;
using test::ScanFolder;

constexpr double object_size = 60;

Phantom object() {
  Phantom phantom = test::lopsided_phantom(object_size);
  for (Body& body : phantom.bodies) body.half.z *= 0.4, body.center.z *= 0.4;
  return phantom;
}

const std::string& fact(const ScanFile& file, const std::string& meaning) {
  const auto found = std::ranges::find(file.facts, meaning, &ScanFact::meaning);
  INFO("fact '" << meaning << "'");
  REQUIRE(found != file.facts.end());
  return found->value;
}

/// How well hfdk finds the object where it was, and mirrored along each axis.
std::array<double, 4> likeness(const ScanFile& file, const char* method) {
  const VolumeGrid grid{{31, 31, 17}, {4, 4, 3}, {0, 0, 0}};
  const auto backend = make_backend("cpu");
  ReconOptions options;
  options.method = method;
  if (method != std::string("hfdk")) options.iterations = 5;
  const auto run = make_reconstruction(*backend, file.projections, grid, options);
  while (run->step() != Reconstruction::Status::finished) continue;
  const Volume found = run->download();
  std::array<double, 4> like{};
  for (int i = 0; i < 4; ++i) {
    Phantom truth = object();
    for (Body& body : truth.bodies) body.center *= Vec3(i == 1 ? -1 : 1, i == 2 ? -1 : 1, i == 3 ? -1 : 1);
    like[static_cast<std::size_t>(i)] =
        test::fit(voxelize(truth, grid, 2).values.span(), found.values.span()).correlation;
  }
  return like;
}

}  // namespace

TEST_CASE("DICOM-CT-PD: what the files say becomes the geometry", "[ct-pd]") {
  const ScanFolder folder;
  const ClinicalScanner s;
  s.write(folder.path(), object());
  CHECK(is_scan(folder.path()));
  const ScanFile file = load_scan(folder.path());
  CHECK(file.scan.view_count() == 192);
  CHECK(file.scan.detector.columns == 73);
  CHECK(file.scan.detector.rows == 12);
  CHECK(file.scan.detector.shape == Detector::Shape::curved);
  REQUIRE(file.water);
  CHECK(*file.water == Approx(0.0192));
  CHECK(fact(file, "source to detector") == "520 mm");
  CHECK(fact(file, "focal spot") == "4 places, up to 2.015 mm away");
  CHECK(fact(file, "columns") == "as the format says, and the data agree");
  CHECK(fact(file, "rows") == "as the format says, and the data agree");
  CHECK(file.notes.empty());
  CHECK(std::ranges::count(file.unused, "(7037,1009) = HELICAL") == 1);
  CHECK(std::ranges::none_of(file.unused, [](const std::string& u) { return u.starts_with("(7031,100"); }));
  CHECK(fact(file, "width of a column") == "2.6 mm");  // a float
  // The values, and where their pixel and source are, in view 50.
  std::vector<float> view(static_cast<std::size_t>(file.scan.detector.pixels()));
  file.projections->read(50, 1, view);
  std::vector<std::uint16_t> counts(view.size());
  CHECK_FALSE(file.projections->read_counts(50, 1, counts));  // stored as such, and rescaled
  const std::vector<float> truth = s.image(object(), 50);
  for (std::size_t i = 0; i < view.size(); ++i) REQUIRE(std::abs(view[i] - truth[i]) < 1e-4);
  for (const auto& [row, column] : {std::pair{3, 20}, {9, 60}}) {
    const View& v = file.scan.views[50];
    const double integral =
        line_integral(object(), v.source, ray_direction(file.scan.detector, v, column, row), 0, 1e9);
    CHECK(integral == Approx(truth[static_cast<std::size_t>(row * 73 + column)]).margin(1e-4));
  }
}

TEST_CASE("DICOM-CT-PD: a scan file that names the folder knows water, photons and the patient's frame", "[ct-pd]") {
  const ScanFolder folder, other;
  ClinicalScanner s;
  s.few_photons = true;
  s.write(folder.path(), object());
  const ScanFile file = load_scan(folder.path());
  ScanWriteOptions options;
  options.trajectory_toml = file.trajectory_toml;
  options.scan = folder.path().string();
  const ScanFile text = load_scan(other.write("ct.scan.toml", scan_text(file.scan, options, "ct.scan.toml")));
  CHECK(text.water == file.water);
  CHECK(text.photons == file.photons);
  CHECK_FALSE(text.photons.empty());
  CHECK(text.patient_frame);
}

TEST_CASE("DICOM-CT-PD: an object without symmetry comes back as it lay, by hfdk and by iterations", "[ct-pd]") {
  const ScanFolder folder;
  ClinicalScanner s;
  SECTION("flying focal spot, implicit types, images on their side") {}
  SECTION("focal spot at rest, explicit types, images upright") {
    s.flying = s.transposed = false;
    s.with_types = true;
  }
  s.write(folder.path(), object());
  const ScanFile file = load_scan(folder.path());
  for (const char* method : {"hfdk", "cgls"}) {
    INFO(method);
    const auto like = likeness(file, method);
    CHECK(like[0] > 0.9);
    for (int i = 1; i < 4; ++i) CHECK(like[0] > like[static_cast<std::size_t>(i)] + 0.02);
  }
}

TEST_CASE("DICOM-CT-PD: photon statistics are the weights of pwls", "[ct-pd]") {
  const ScanFolder folder;
  ClinicalScanner s;
  s.few_photons = true;
  s.with_types = GENERATE(false, true);
  s.write(folder.path(), object());
  ScanFile file = load_scan(folder.path());
  REQUIRE(file.photons.size() == 192 * 73);
  CHECK(file.photons[7 * 73 + 29] == 1007);
  CHECK(file.photons[7 * 73 + 33] == Approx(0.1007f));
  CHECK_THAT(fact(file, "photons of a column without an object"), Catch::Contains("1191"));

  // Rays that few photons measured, with values far off, do no harm; every second view, whose photons are its own.
  const VolumeGrid grid{{31, 31, 17}, {4, 4, 3}, {0, 0, 0}};
  Phantom truth = object();
  PwlsOptions options;
  options.penalty = PwlsOptions::Penalty::none;
  options.subsets = 1;
  options.iterations = 6;
  SessionOptions session;
  session.device.backend = "cpu";
  session.preparation.views = {1, 0, 2};
  file.volume = grid;
  options.weights = PwlsOptions::Weights::transmission;
  ScanFile without = file;
  without.photons.clear();
  const auto likeness_of = [&](const ScanFile& scan) {
    const Volume found = Session(scan, session).run(options).volume;
    return test::fit(voxelize(truth, grid, 2).values.span(), found.values.span()).correlation;
  };
  const double by_photons = likeness_of(file), by_transmission = likeness_of(without);
  INFO(by_photons << " " << by_transmission);
  CHECK(by_photons > 0.95);
  CHECK(by_photons > by_transmission + 0.1);

  options.photons = std::make_shared<const std::vector<float>>(7, 1.0f);
  CHECK_THROWS_WITH(Session(file, session).run(options), Catch::Contains("7 numbers of photons"));
}

TEST_CASE("DICOM-CT-PD: photon statistics that make no sense are told and left out", "[ct-pd]") {
  const ScanFolder folder;
  ClinicalScanner s;
  s.turns = 1;
  s.write(folder.path(), object());
  s.few_photons = true;
  folder.write("1-1.dcm", s.file(object(), 0));  // one view of all
  const ScanFile file = load_scan(folder.path());
  CHECK(file.photons.empty());
  REQUIRE_FALSE(file.notes.empty());
  CHECK_THAT(file.notes[0], Catch::Contains("(7033,1065)"));
}

TEST_CASE("DICOM-CT-PD: columns and rows that run the other way are found out by the data", "[ct-pd]") {
  const ScanFolder folder;
  ClinicalScanner s;
  const auto contradicted = [](const std::string& value) { return value.starts_with("the opposite"); };
  SECTION("rows, as GE has them") {
    s.mirrored_rows = true;
    s.write(folder.path(), object());
    const ScanFile file = load_scan(folder / "1-7.dcm");  // any file stands for all
    CHECK(contradicted(fact(file, "rows")));
    CHECK_FALSE(contradicted(fact(file, "columns")));
    REQUIRE(file.notes.size() == 1);
    CHECK_THAT(file.notes[0], Catch::Contains("the data contradict how rows run"));
    const auto like = likeness(file, "hfdk");
    CHECK(like[0] > 0.9);
    CHECK(like[0] > like[3] + 0.02);
  }
  SECTION("a gantry that turns the other way than its angles say") {
    s.turned_back = true;
    s.write(folder.path(), object());
    const ScanFile file = load_scan(folder.path());
    CHECK(contradicted(fact(file, "columns")));
  }
}

TEST_CASE("DICOM-CT-PD: damaged views are refused or read, and never worse", "[ct-pd]") {
  const ScanFolder folder;
  ClinicalScanner s;
  s.columns = 20;
  s.rows = 4;
  s.turns = 1;
  s.views_per_turn = 5;
  s.central_column = 10.5;
  s.central_row = 2.5;
  s.write(folder.path(), object());
  folder.write("good", s.file(object(), 2));
  const int refused = test::read_damaged(
      folder / "good", folder / "1-3.dcm",
      [&](const fs::path&) {
        const ScanFile file = load_scan(folder / "1-1.dcm");
        std::vector<float> view(static_cast<std::size_t>(file.scan.detector.pixels()));
        file.projections->read(2, 1, view);
      },
      200, 0);
  CHECK(refused > 40);
  folder.write("1-3.dcm", "no DICOM at all");
  CHECK(load_scan(folder / "1-1.dcm").scan.view_count() == 5);  // "good" has the same number as it
}

}  // namespace backlit::ct_pd_test
