// Sinograms of STIR, made from its description: every bin's lines by angle and distance, apart from the reader's.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/phantom/phantom.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/lab_scanner.hpp"
#include "support/io/list_likeness.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/real_data.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

struct Segment {
  int low, high;
};

/// A scanner and what its sinogram adds up.
struct StirFile {
  int rings = 8, detectors = 48, bins = 25, mashing = 1, timings = 1;
  double radius = 60, depth = 5, spacing = 5, offset_deg = 7;
  std::vector<Segment> segments{{-7, -5}, {-4, -2}, {-1, 1}, {2, 4}, {5, 7}};  // span 3
  bool views_slower = true, integers = false;
  double tof_bin_ps = 0;  ///< 0: the header does not say how wide timing positions are

  int views() const { return detectors / 2 / mashing; }
  /// The ring sums of a segment, a position each.
  std::vector<int> positions(const Segment& s) const {
    std::set<int> sums;
    for (int a = 0; a < rings; ++a)
      for (int b = 0; b < rings; ++b)
        if (b - a >= s.low && b - a <= s.high) sums.insert(a + b);
    return {sums.begin(), sums.end()};
  }
  Vec3 place(double psi, int ring) const {
    return {(radius + depth) * std::sin(psi), -(radius + depth) * std::cos(psi), (ring - 0.5 * (rings - 1)) * spacing};
  }
  /// The lines of a bin: view and tangential position as an angle phi and a distance r sin(beta).
  std::vector<std::pair<Vec3, Vec3>> lines(const Segment& s, int sum, int view, int bin) const {
    std::vector<std::pair<Vec3, Vec3>> all;
    const int t = bin - bins / 2;
    const double beta = t * pi / detectors;
    for (int v = view * mashing; v < (view + 1) * mashing; ++v) {
      // Between two views for odd positions: each detector pair has an angle of its own.
      const double phi = (2 * v - (t & 1)) * pi / detectors + offset_deg * radians_per_degree;
      for (int a = 0; a < rings; ++a) {
        const int b = sum - a;
        if (b < 0 || b >= rings || b - a < s.low || b - a > s.high) continue;
        all.emplace_back(place(phi + beta, a), place(phi - beta + pi, b));
      }
    }
    return all;
  }

  std::string header(const std::string& more = "") const {
    std::string low, high, axial;
    for (const Segment& s : segments) {
      low += fmt::format("{}{}", low.empty() ? "" : ",", s.low);
      high += fmt::format("{}{}", high.empty() ? "" : ",", s.high);
      axial += fmt::format("{}{}", axial.empty() ? "" : ",", positions(s).size());
    }
    const int view = views_slower ? 3 : 2;
    return fmt::format(
               "!INTERFILE  :=\n!imaging modality := PT\nname of data file := counts.s\noriginating system := test\n"
               "!type of data := PET\nimagedata byte order := {}\n!PET data type := Emission\n{}"
               "!number format := {}\n!number of bytes per pixel := {}\nnumber of dimensions := {}\n{}"
               "matrix axis label [4] := segment\n!matrix size [4] := {}\nmatrix axis label [{}] := view\n"
               "!matrix size [{}] := {}\nmatrix axis label [{}] := axial coordinate\n!matrix size [{}] := {{ {}}}\n"
               "matrix axis label [1] := tangential coordinate\n!matrix size [1] := {}\n",
               integers ? "BIGENDIAN" : "LITTLEENDIAN", more, integers ? "signed integer" : "float", integers ? 2 : 4,
               timings > 1 ? 5 : 4,
               timings > 1 ? fmt::format("matrix axis label [5] := timing positions\n!matrix size [5] := {}\n", timings)
                           : "",
               segments.size(), view, view, views(), 5 - view, 5 - view, axial, bins) +
           fmt::format(
               "minimum ring difference per segment := {{ {}}}\n"
               "maximum ring difference per segment := {{ {}}}\nimage duration (sec)[1] := 3\n"
               "Scanner parameters:=\nScanner type := unknown\nNumber of rings := {}\n"
               "Number of detectors per ring := {}\nInner ring diameter (cm) := {}\n"
               "Average depth of interaction (cm) := {}\nDistance between rings (cm) := {}\n"
               "View offset (degrees) := {}\n{}end scanner parameters:=\n!END OF INTERFILE :=\n",
               low, high, rings, detectors, radius / 5, depth / 10, spacing / 10, offset_deg,
               tof_bin_ps > 0 ? fmt::format("%TOF mashing factor := 5\nSize of unmashed TOF time bins (ps) := {}\n"
                                            "TOF timing resolution (ps) := 60\n",
                                            tof_bin_ps / 5)
                              : "");
  }

  /// counts(segment, ring sum, view, bin, timing position)
  template <class Counts>
  fs::path write(const test::Scratch& folder, Counts&& counts) const {
    std::string data;
    const auto put = [&](double n) {
      if (integers) {
        const auto value = static_cast<unsigned>(n);
        data += {static_cast<char>(value >> 8), static_cast<char>(value & 255)};
      } else {
        const auto value = static_cast<float>(n);
        data.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
    };
    for (int timing = 0; timing < timings; ++timing)
      for (const Segment& s : segments) {
        const auto sums = positions(s);
        const int many = static_cast<int>(sums.size());
        for (int slow = 0; slow < (views_slower ? views() : many); ++slow)
          for (int fast = 0; fast < (views_slower ? many : views()); ++fast)
            for (int bin = 0; bin < bins; ++bin)
              put(counts(s, sums[static_cast<std::size_t>(views_slower ? fast : slow)], views_slower ? slow : fast, bin,
                         timing));
      }
    test::write_bytes(folder / "counts.s", data);
    test::write_bytes(folder / "counts.hs", header());
    return folder / "counts.hs";
  }
};

StirFile small_stir() {
  StirFile stir;
  stir.rings = 3;
  stir.detectors = 12;
  stir.bins = 5;
  stir.segments = {{-1, 1}};
  return stir;
}

double distance(const std::pair<Vec3, Vec3>& a, const Vec3& p, const Vec3& q) {
  return glm::distance(a.first, p) + glm::distance(a.second, q);
}

}  // namespace

TEST_CASE("STIR sinogram: every count lies on a line of its bin, in any order of axes and any span", "[stir]") {
  const test::Scratch folder;
  StirFile stir;
  SECTION("span 3, views slowest") {}
  SECTION("span 1, axial positions slowest, integers, an even number of bins") {
    stir.segments = {{0, 0}, {-1, -1}, {1, 1}, {3, 3}};
    stir.views_slower = false;
    stir.integers = true;
    stir.bins = 20;
  }
  SECTION("GE's span 2 and views that add up three") {
    stir.segments = {{-3, -2}, {-1, 1}, {2, 3}};
    stir.mashing = 3;
  }
  // Every bin alone would take long: a few, in turn.
  for (const auto& [segment, position, view, bin] :
       {std::tuple{0, 0, 0, 0}, {1, 2, 5, 12}, {2, 3, 7, 19}, {0, 1, 3, 7}, {1, 0, 2, 13}}) {
    INFO(segment << " " << position << " " << view << " " << bin);
    const Segment s = stir.segments[static_cast<std::size_t>(segment)];
    const int sum = stir.positions(s)[static_cast<std::size_t>(position)];
    const auto lines = stir.lines(s, sum, view, bin);
    const auto here = [&, v = view, b = bin](const Segment& other, int at, int of_view, int of_bin, int) {
      return other.low == s.low && at == sum && of_view == v && of_bin == b ? 2.0 * static_cast<double>(lines.size())
                                                                            : 0;
    };
    ListModeFile file = load_list_mode(stir.write(folder, here));
    CHECK(file.events->info().format == "stir");
    CHECK(file.events->info().duration_s == 3);
    REQUIRE(file.scanner.crystals() == 8 * 48);
    const EventList events = read_all(*file.events);
    REQUIRE(events.size() == 2 * static_cast<std::int64_t>(lines.size()));
    CHECK(file.events->counts().prompts == events.size());
    for (const auto& line : lines) {  // each has two of the counts
      int on_it = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(events.size()); ++i) {
        const Vec3 p = Vec3(file.scanner.position[events.crystal1[i]]),
                   q = Vec3(file.scanner.position[events.crystal2[i]]);
        on_it += distance(line, p, q) < 1e-3;
        CHECK(file.scanner.in_coincidence(events.crystal1[i], events.crystal2[i]));
      }
      CHECK(on_it == 2);
    }
  }
}

TEST_CASE("STIR sinogram: an object without symmetry comes back as it lay", "[stir]") {
  const test::Scratch folder;
  StirFile stir;
  SECTION("span 3") {}
  SECTION("with three timing positions of unknown width, which are added up") { stir.timings = 3; }
  const Phantom object = test::lopsided_phantom(24);
  const auto counts = [&](const Segment& s, int sum, int view, int bin, int timing) {
    double n = 0;
    for (const auto& [p, q] : stir.lines(s, sum, view, bin))
      n += line_integral(object, p, glm::normalize(q - p), 0, glm::distance(p, q));
    return std::round(8 * n * (timing + 1) / (stir.timings * (stir.timings + 1) / 2));
  };
  ListModeFile file = load_list_mode(stir.write(folder, counts));
  CHECK_FALSE(file.events->info().has_tof());
  test::check_list_place(std::move(file), object, {{25, 25, 13}, {2.5, 2.5, 2.5}, {0, 0, 0}}, 0.02);
}

TEST_CASE("STIR sinogram: timing positions become times of flight, positive ones nearer the first detector", "[stir]") {
  const test::Scratch folder;
  StirFile stir;
  stir.timings = 8;  // an even number, as well
  stir.tof_bin_ps = 80;
  Phantom object = test::lopsided_phantom(10);
  for (Body& body : object.bodies) body.center += Vec3(14, -9, 0);  // far from the middle of most lines
  const double bin_mm = stir.tof_bin_ps * half_c_mm_per_ps;
  const auto counts = [&](const Segment& s, int sum, int view, int bin, int timing) {
    double n = 0;
    for (const auto& [p, q] : stir.lines(s, sum, view, bin)) {  // p is the first detector
      const double nearer_p = (timing - 0.5 * (stir.timings - 1)) * bin_mm, middle = 0.5 * glm::distance(p, q);
      n += line_integral(object, p, glm::normalize(q - p), middle - nearer_p - 0.5 * bin_mm,
                         middle - nearer_p + 0.5 * bin_mm);
    }
    return std::round(20 * n);
  };
  const fs::path header = stir.write(folder, counts);
  const VolumeGrid grid{{25, 25, 13}, {2.5, 2.5, 2.5}, {0, 0, 0}};
  const auto found = [&](bool flip) {
    ListModeFile file = load_list_mode(header, {.scanner = {}, .flip_tof = flip, .delayeds = false});
    const ListModeInfo& info = file.events->info();
    CHECK(info.tof_fwhm_ps == 60);
    CHECK(info.tof_bin_ps == Approx(80));
    CHECK(info.tof_range_ps == Approx(640));
    const auto backend = make_backend("cpu");
    PetOptions options;
    options.iterations = 2;
    options.subsets = 4;
    options.line = "joseph";
    options.sensitivity_pairs = 0;
    options.likelihood = true;
    PetProblem problem(*backend, std::move(file.events), file.scanner, grid, options, nullptr);
    REQUIRE(problem.with_tof());
    const auto run = problem.reconstruction();
    while (run->step() != Reconstruction::Status::finished) continue;
    const Volume image = run->download();
    return std::pair(test::fit(voxelize(object, grid, 2).values.span(), image.values.span()).correlation,
                     run->likelihoods().back());
  };
  const auto [right, likely] = found(false);
  const auto [wrong, unlikely] = found(true);
  CHECK(right > 0.85);
  CHECK(right > wrong + 0.1);
  CHECK(likely > unlikely);  // what docs tell users to look at
}

TEST_CASE("STIR sinogram: values are listed with unit and place, and so is what is not used", "[stir]") {
  const test::Scratch folder;
  StirFile stir;
  stir.timings = 3;
  stir.tof_bin_ps = 80;
  const ListModeFile file = load_list_mode(stir.write(folder, [](auto&&...) { return 0.0; }));
  CHECK(test::fact(file, "inner diameter") == "120 mm");
  CHECK(test::fact(file, "depth of interaction") == "5 mm");
  CHECK(test::fact(file, "distance of rings") == "5 mm");
  CHECK(test::fact(file, "direction of the first view") == "7 degrees");
  CHECK(test::fact(file, "time resolution (FWHM)") == "60 ps");
  CHECK(test::fact(file, "bin of time of flight") == "16 ps");
  CHECK(test::fact(file, "duration") == "3 s");
  CHECK(test::fact(file, "depth of a crystal") == "20 mm");
  const auto diameter = std::ranges::find(file.facts, "inner diameter", &ScanFact::meaning);
  CHECK_THAT(diameter->source, Catch::StartsWith("counts.hs line ") && Catch::EndsWith(", Inner ring diameter (cm)"));
  CHECK(file.unused == std::vector<std::string>{"imaging modality = PT", "originating system = test",
                                                "type of data = PET", "PET data type = Emission"});
}

TEST_CASE("STIR sinogram: what is no sinogram of counts is refused by name", "[stir]") {
  const test::Scratch folder;
  const StirFile stir;
  const auto one = [](const Segment&, int, int, int, int) { return 1.0; };
  const auto refused = [&](const std::string& header, const std::string& why) {
    test::write_bytes(folder / "counts.hs", header);
    CHECK_THROWS_WITH(load_list_mode(folder / "counts.hs"), Catch::Contains(why));
  };
  stir.write(folder, one);
  refused(stir.header("applied corrections := {arc correction}\n"), "arc correction");
  refused(stir.header("Scanner geometry (BlocksOnCylindrical/Cylindrical/Generic) := BlocksOnCylindrical\n"),
          "blocksoncylindrical");
  refused(stir.header("quantification units := 0.5\n"), "quantification units");
  StirFile larger = stir;
  larger.timings = 2;
  refused(larger.header(), "cut off");

  const auto half = stir.write(folder, [](const Segment&, int, int, int, int) { return 0.5; });
  ListModeFile file = load_list_mode(half);
  CHECK_THROWS_WITH(read_all(*file.events), Catch::Contains("no number of counts"));
}

TEST_CASE("STIR sinogram: damaged headers are read or refused", "[stir]") {
  const test::Scratch folder;
  const StirFile stir = small_stir();
  fs::copy_file(stir.write(folder, [](const Segment&, int, int, int, int) { return 1.0; }), folder / "good");
  const int refused = test::read_damaged(
      folder / "good", folder / "counts.hs",
      [](const fs::path& victim) {
        ListModeFile file = load_list_mode(victim);
        read_all(*file.events);
      },
      100, 0);
  CHECK(refused > 10);
}

TEST_CASE("STIR sinogram: damaged counts are read or refused", "[stir]") {
  const test::Scratch folder;
  const StirFile stir = small_stir();
  const fs::path header = stir.write(folder, [](const Segment&, int, int, int, int) { return 1.0; });
  fs::copy_file(folder / "counts.s", folder / "good");
  const int refused = test::read_damaged(folder / "good", folder / "counts.s", [&](const fs::path&) {
    ListModeFile file = load_list_mode(header);
    EventList events;
    while (file.events->read(1000, events)) continue;
  });
  CHECK(refused > 10);
  std::string bytes = test::file_bytes(folder / "good");
  const float many = 1e9f;
  bytes.replace(8, sizeof many, reinterpret_cast<const char*>(&many), sizeof many);
  test::write_bytes(folder / "counts.s", bytes);
  CHECK_THROWS_WITH(read_all(*load_list_mode(header).events), Catch::Contains("1000000000") && Catch::Contains("bin"));
}

}  // namespace backlit
