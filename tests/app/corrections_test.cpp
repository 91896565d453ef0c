// Corrections on the command line: chosen, written into a scan file, followed from there.
#include <catch2/catch.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using nlohmann::json;

namespace corrections_test {
namespace {

/// A noisy sinogram of the FORBILD head; with stripes on every fifth column.
void simulate(const TemporaryFolder& folder) {
  write_text(folder / "true.scan.toml",
             "[detector]\ncolumns = 131\nrows = 1\npixel_mm = 2.2\n[trajectory]\nkind = \"parallel\"\nviews = 120\n");
  const auto made = run_backlit(
      folder.path(), {"simulate", "forbild-head", "--scan", "true.scan.toml", "-o", "clean.npy", "--noise", "1e6"});
  INFO(made.err);
  REQUIRE(made.code == 0);
  Projections p = read_all(*load_scan(folder / "clean.scan.toml").projections);
  for (std::int64_t v = 0; v < 120; ++v)
    for (std::int64_t c = 0; c < 131; ++c) p.at(v, 0, c) += 0.08f * static_cast<float>((c * 37) % 11 - 5) / 5;
  save_projections(p, folder / "striped.npy");
  write_text(folder / "striped.scan.toml",
             "[detector]\ncolumns = 131\nrows = 1\npixel_mm = 2.2\n[trajectory]\nkind = \"parallel\"\nviews = 120\n"
             "[data]\nprojections = \"striped.npy\"\n[volume]\nsize = [60, 60, 1]\nvoxel_mm = 4.4\n");
}

json recon(const TemporaryFolder& folder, const std::string& scan, std::vector<std::string> more) {
  more.insert(more.begin(), {"recon", scan, "-o", "out.mha", "--backend", "cpu", "--json", "-q"});
  const auto r = run_backlit(folder.path(), more);
  INFO(r.err);
  REQUIRE(r.code == 0);
  return json::parse(r.out);
}

}  // namespace

TEST_CASE("Corrections are chosen, written into the scan file and followed") {
  const TemporaryFolder folder;
  simulate(folder);
  CHECK(recon(folder, "clean.scan.toml", {"--correct", "auto"})["corrections"].empty());
  const json chosen = recon(folder, "striped.scan.toml", {"--correct", "auto"});
  REQUIRE(chosen["corrections"].size() == 1);
  CHECK(chosen["corrections"][0].get<std::string>().starts_with("rings"));
  CHECK(chosen["faults"].size() == 6);
  const Volume automatic = load_volume(folder / "out.mha");
  const json saved = recon(folder, "striped.scan.toml",
                           {"--correct", "auto", "--hardening", "0.01", "--save-corrections", "saved.scan.toml"});
  CHECK(saved["corrected_scan"] == "saved.scan.toml");
  CHECK(load_scan(folder / "saved.scan.toml").corrections.hardening.coefficients == std::vector<double>{0.01});
  CHECK(recon(folder, "saved.scan.toml", {})["corrections"] == saved["corrections"]);

  const auto made =
      run_backlit(folder.path(), {"convert", "striped.scan.toml", "-o", "kept.scan.toml", "--correct", "auto"});
  INFO(made.err);
  REQUIRE(made.code == 0);
  const ScanFile kept = load_scan(folder / "kept.scan.toml");
  CHECK(kept.corrections.stripes > 0);
  REQUIRE(kept.volume);
  CHECK(kept.volume->size == Size3{60, 60, 1});
  CHECK(recon(folder, "kept.scan.toml", {})["corrections"] == chosen["corrections"]);
  const Volume followed = load_volume(folder / "out.mha");
  CHECK(std::ranges::equal(followed.values.span(), automatic.values.span()));
  CHECK(recon(folder, "kept.scan.toml", {"--correct", "none"})["corrections"].empty());
}

TEST_CASE("Corrections that cannot be are refused in one line") {
  const TemporaryFolder folder;
  simulate(folder);
  const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
    const auto r = run_backlit(folder.path(), arguments);
    INFO(r.err);
    CHECK(r.code == 2);
    CHECK(r.err.find(why) != std::string::npos);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
  };
  const auto correct = [&](const std::string& flag, const std::string& value, const std::string& why) {
    refused({"recon", "striped.scan.toml", "-o", "out.mha", "-q", flag, value}, why);
  };
  correct("--phase-ratio", "800", "--phase-energy");
  correct("--flat-components", "2", "three flats");
  correct("--water-spectrum", "nowhere.csv", "no such file");
  correct("--scatter-share", "2", "neither 'fit' nor a share");
  correct("--correct", "perhaps", "choose one of file, none, auto");
  correct("--save-corrections", "new.mha", ".scan.toml");
  correct("--save-corrections", "striped.scan.toml", "would overwrite an input");
  refused({"convert", "striped.scan.toml", "-o", "new.mha", "--correct", "auto", "-q"}, "NAME.scan.toml");
  refused({"convert", "striped.scan.toml", "-o", "new.scan.toml", "-q"}, "is a Backlit scan already");
}

}  // namespace corrections_test
