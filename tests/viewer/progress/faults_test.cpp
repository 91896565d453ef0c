// Faults of a raw scan are looked for after its first picture, corrected, and taken back with one step.
#include <cmath>
#include <fstream>
#include <iterator>

#include <backlit/io/scans/scan_file.hpp>
#include "viewer/demo_scan.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::test;

namespace faults_test {
namespace {

/// The spheres as counts; one column of the detector reads too little where `faulty`.
std::string save(const std::filesystem::path& folder, bool faulty) {
  Projections p = DemoScan(24).views;
  const Detector& d = p.scan.detector;
  for (std::int64_t v = 0; v < p.scan.view_count(); ++v) {
    for (std::int64_t row = 0; faulty && row < d.rows; ++row)
      p.view(v)[static_cast<std::size_t>(row * d.columns + 40)] += 0.4f;
    for (float& x : p.view(v)) x = 40000 * std::exp(-x);
  }
  save_projections(p, folder / "counts.npy");
  ScanWriteOptions options;
  options.projections = "counts.npy";
  options.kind = ScanFile::Kind::counts;
  options.volume = VolumeGrid{{24, 24, 24}, Vec3(8), Vec3(0)};
  const auto file = folder / "counts.scan.toml";
  save_scan(p.scan, options, file);
  std::ifstream in(file);
  std::string text(std::istreambuf_iterator<char>(in), {});
  const std::string data = "[data]\n";
  text.insert(text.find(data) + data.size(), "open_beam = 40000\n");
  std::ofstream(file) << text;
  return file.string();
}

}  // namespace

TEST_CASE("A raw scan with a bad column is corrected after its first picture, and one undo takes that back") {
  Windowless w;
  w.act("open " + save(w.folder.path(), true));
  REQUIRE(w.settle());
  const viewer::Status& s = w.model.status();
  INFO((s.errors.empty() ? "" : s.errors.back()));
  REQUIRE(s.faults);
  CHECK(s.runs == 2);
  CHECK_FALSE(s.faults->options == CorrectionOptions{});
  CHECK(w.model.state().recon.corrections == s.faults->options);
  CHECK_FALSE(s.report->corrections.empty());
  CHECK_FALSE(w.model.stale());
  w.act("undo");
  REQUIRE(w.settle());
  CHECK(w.model.state().recon.corrections == CorrectionOptions{});
  CHECK(s.runs == 3);
  w.act("set cutoff 0.8");
  REQUIRE(w.settle());
  CHECK(w.model.state().recon.corrections == CorrectionOptions{});
  CHECK(s.errors.empty());
}

TEST_CASE("A raw scan without faults stays as it is, and so does one whose corrections were chosen") {
  Windowless w;
  w.act("open " + save(w.folder.path(), false));
  REQUIRE(w.settle());
  REQUIRE(w.model.status().faults);
  CHECK(w.model.status().faults->options == CorrectionOptions{});
  CHECK(w.model.status().runs == 1);
  w.act("set zingers 50");
  w.act("open " + save(w.folder.path(), true));
  REQUIRE(w.settle());
  CHECK_FALSE(w.model.status().faults);
  CHECK(w.model.state().recon.corrections.defects == 0);
}

TEST_CASE("What belongs to one file is not applied to the next, and undo brings both back") {
  Windowless w;
  w.act("open " + save(w.folder.path(), true));
  REQUIRE(w.settle());
  const CorrectionOptions found = w.model.state().recon.corrections;
  REQUIRE_FALSE(found == CorrectionOptions{});
  w.act("set center_shift 2");
  w.act("set slice_zoom 5");
  w.act("set cutoff 0.7");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  const viewer::ViewState& now = w.model.state();
  CHECK(now.geometry == viewer::GeometryState{});
  CHECK(now.recon.corrections == CorrectionOptions{});
  CHECK(now.layout.slice_zoom < 5);
  CHECK(now.recon.method.text("cutoff") == "0.7");
  w.act("undo");
  REQUIRE(w.settle());
  CHECK(now.geometry.center_shift == 2);
  CHECK(now.recon.corrections == found);
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("A correction that was chosen beside those that were found goes on to the next file alone") {
  Windowless w;
  w.act("open " + save(w.folder.path(), true));
  REQUIRE(w.settle());
  CorrectionOptions chosen;
  chosen.hardening.coefficients = {0.01};
  REQUIRE(w.model.status().faults);
  REQUIRE_FALSE(w.model.status().faults->options == CorrectionOptions{});
  w.act("set hardening 0.01");
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK(w.model.state().recon.corrections == chosen);
  CHECK(w.model.status().errors.empty());
}

}  // namespace faults_test
