// Corrections with OpenGL: the host makes them, and reconstruction and projection on the way are OpenGL's.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/session.hpp>
#include "support/relative_l2.hpp"
#include "support/scratch.hpp"

using namespace backlit;

namespace corrections_gl_test {
namespace {

Scan scan() {
  const Detector d{64, 8, 4.5, 4.5};
  return {d, circular_views(d, equal_angles(48), 600, 900)};
}

/// A uniform cylinder, with a rod of metal where wanted, as counts over flats that drift.
ScanFile counts(bool metal) {
  Phantom phantom{"", {}};
  for (const auto& [radius, value] : {std::pair{70.0, 0.02}, {5.0, 0.3}}) {
    if (value > 0.1 && !metal) continue;
    Body body;
    body.shape = Body::Shape::cylinder;
    body.half = {radius, radius, 100};
    body.value = value;
    phantom.bodies.push_back(body);
  }
  ScanFile file;
  file.scan = scan();
  file.kind = ScanFile::Kind::counts;
  Projections p(file.scan), flats(Scan{file.scan.detector, {file.scan.views.begin(), file.scan.views.begin() + 5}});
  project_phantom(phantom, file.scan, 0, file.scan.view_count(), 1, p.values.span());
  for (float& v : p.values) v = 1e4f * std::exp(-v);
  for (std::int64_t i = 0; i < flats.values.size(); ++i)
    flats.values[i] = 1e4f * (1 + 0.01f * static_cast<float>(i % 7 * (i / 512)));
  file.projections = std::make_shared<MemorySource>(std::move(p));
  file.flats = std::make_shared<MemorySource>(std::move(flats));
  return file;
}

}  // namespace

TEST_CASE("OpenGL runs with every correction, which the host makes and the report says") {
  const test::Scratch folder;
  const std::string spectrum = folder.path() / "spectrum.txt";
  std::ofstream(spectrum) << "60 1\n100 1\n";
  ScatterOption share, fit;
  from_text(share, "0.1", "");
  from_text(fit, "fit", "");
  const CorrectionOptions wanted[] = {
      {.flat_components = 1},
      {.air_columns = 4, .truncation = 0.1},
      {.defects = 10, .zingers = 8, .dead_stripes = 3, .large_stripes = 3, .stripes = 5},
      {.phase_ratio = 100, .phase_energy = 30},
      {.scatter = share},
      {.scatter = fit},
      {.water_spectrum = spectrum},
      {.hardening = {{0.05}}},
      {.flatten = true},
      {.metal = 0.1}};
  std::size_t tested = 0;
  for (const CorrectionOptions& corrections : wanted) {
    CAPTURE(to_text(corrections));
    const auto run_on = [&](const char* name) {
      SessionOptions options;
      options.device.backend = name;
      options.preparation.corrections = corrections;
      Session session(counts(corrections.metal > 0), options);
      return session.run();
    };
    const SessionResult gl = run_on("gl"), cpu = run_on("cpu");
    CHECK(gl.report.backend == "gl");
    CHECK(gl.report.corrections.size() == gl.report.corrected_on.size());
    for (const std::string& place : gl.report.corrected_on) CHECK(place == "host");
    CHECK(test::relative_l2(gl.volume.values.span(), cpu.volume.values.span()) < 0.02);
    tested += gl.report.corrections.size();
  }
  CHECK(tested == backlit::corrections().size());
}

}  // namespace corrections_gl_test
