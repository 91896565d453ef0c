// Scanners: where crystals are, which pairs count, files.
#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/io/lists/scanner_file.hpp>
#include "pet/pairs.hpp"
#include "phantom/random.hpp"
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

using namespace backlit;

namespace {

/// Flat modules, gaps around and along z, two layers.
RingLayout modules() {
  RingLayout layout;
  layout.modules = 7;
  layout.module_crystals = 5;
  layout.axial_modules = 2;
  layout.module_rings = 3;
  layout.face_radius_mm = 60;
  layout.pitch_mm = 9;
  layout.ring_spacing_mm = 4;
  layout.axial_gap_mm = 3;
  layout.first_deg = 20;
  layout.layers_mm = {7, 9};
  return layout;
}

Vec3 random_direction(CounterRandom& draw) {
  const double z = 0.8 * (2 * draw.uniform() - 1), phi = 2 * pi * draw.uniform(), r = std::sqrt(1 - z * z);
  return {r * std::cos(phi), r * std::sin(phi), z};
}

}  // namespace

TEST_CASE("the crystal at each crystal's own place is that crystal, and places between modules have none") {
  for (const bool plain : {false, true}) {
    RingLayout layout = modules();
    if (plain) {
      layout.module_crystals = 1;
      layout.modules = 41;
    }
    const Scanner scanner = make_ring_scanner("test", layout, {}, "test");
    REQUIRE(scanner.crystals() == layout.crystals());
    for (std::int64_t i = 0; i < scanner.crystals(); ++i)
      CHECK(layout.crystal_at(Vec3(scanner.position[static_cast<std::size_t>(i)])) == i);
    CHECK(layout.crystal_at({62, 0, 0}) == -1);  // the gap along z
    CHECK(layout.crystal_at({10, 0, 2}) == -1);  // inside the ring
    CHECK(scanner.rings().back() == 5);
    CHECK(scanner.position.back().z == Approx(layout.ring_z_mm(5)));
  }
}

TEST_CASE("a ray hits the crystal whose surface it crosses") {
  RingLayout layout = modules();
  layout.layers_mm = {16};
  layout.mean_depth_mm = 5;
  const Scanner scanner = make_ring_scanner("test", layout, {}, "test");
  int hits = 0, misses = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    CounterRandom draw(3, i, 0);
    const Vec3 origin(40 * (draw.uniform() - 0.5), 40 * (draw.uniform() - 0.5), 10 * (draw.uniform() - 0.5));
    const Vec3 direction = random_direction(draw);
    const auto hit = layout.hit(origin, direction);
    if (hit.crystal < 0) {
      ++misses;
      continue;
    }
    ++hits;
    const Vec3 place = origin + hit.distance * direction;
    const auto c = static_cast<std::size_t>(hit.crystal);
    const Vec3 off = place - Vec3(scanner.position[c]), normal(scanner.outward[c]);
    const Vec3 along = glm::cross(Vec3(0, 0, 1), normal);
    CHECK(std::abs(glm::dot(off, normal)) < 1e-4);
    CHECK(std::abs(glm::dot(off, along)) < 0.5 * layout.pitch_mm + 1e-4);
    CHECK(std::abs(off.z) < 0.5 * layout.ring_spacing_mm + 1e-4);
  }
  CHECK(hits > 500);
  CHECK(misses > 500);
}

TEST_CASE("pairs: the rule, their number by symmetry and one by one, random ones uniform and repeatable") {
  const Scanner scanner = make_ring_scanner("test", modules(), {100, 12}, "test");
  const CrystalPairs pairs(scanner);
  std::int64_t listed = 0, by_rule = 0;
  for (std::int64_t i = 0; i < scanner.crystals(); ++i) {
    listed += static_cast<std::int64_t>(pairs.partners(i).size());
    for (std::int64_t j = i + 1; j < scanner.crystals(); ++j) by_rule += scanner.in_coincidence(i, j);
  }
  CHECK(listed == by_rule);
  CHECK(pairs.count() == by_rule);
  CHECK(by_rule > 1000);
  // Crystals that are known by their places alone, with an axial limit and without; opposite ones only, and all.
  for (const Coincidence& rule : {Coincidence{100, 12}, {100, 1e9}, {165, 1e9}, {0, 1e9}}) {
    Scanner table = make_ring_scanner("test", modules(), rule, "test");
    table.layout.reset();
    std::int64_t found = 0;
    const CrystalPairs of_table(table);
    for (std::int64_t i = 0; i < table.crystals(); ++i) found += static_cast<std::int64_t>(of_table.partners(i).size());
    CHECK(of_table.count() == found);
    CHECK(found > 0);
  }

  constexpr std::size_t draws = 200'000;
  std::vector<std::uint32_t> a(draws), b(draws), part_a(1000), part_b(1000);
  pairs.random(5, 0, a, b);
  pairs.random(5, 70'000, part_a, part_b);
  CHECK(std::equal(part_a.begin(), part_a.end(), a.begin() + 70'000));
  CHECK(std::equal(part_b.begin(), part_b.end(), b.begin() + 70'000));
  std::vector<double> of_crystal(static_cast<std::size_t>(scanner.crystals()));
  for (std::size_t i = 0; i < draws; ++i) {
    REQUIRE(scanner.in_coincidence(a[i], b[i]));
    of_crystal[a[i]] += 1, of_crystal[b[i]] += 1;
  }
  double chi = 0;
  for (std::int64_t i = 0; i < scanner.crystals(); ++i) {
    double partners = 0;
    for (std::int64_t j = 0; j < scanner.crystals(); ++j) partners += scanner.in_coincidence(i, j);
    const double expected = partners / static_cast<double>(by_rule) * draws;
    chi += std::pow(of_crystal[static_cast<std::size_t>(i)] - expected, 2) / expected;
  }
  CHECK(chi / static_cast<double>(scanner.crystals()) == Approx(1).margin(0.35));
}

TEST_CASE("the efficiency of a pair is the solid-angle integral of its line") {
  RingLayout layout = modules();
  layout.module_crystals = 1;
  layout.modules = 120;
  layout.pitch_mm = 2 * 60 * std::tan(pi / 120);
  const Scanner scanner = make_ring_scanner("test", layout, {}, "test");
  // Opposite crystals of one ring, in the inner layer of 7 mm: area^2 / (2 pi d^2), twice the share that stops there.
  const double area = scanner.crystal_mm.x * scanner.crystal_mm.y, d = 2 * (60 + 3.5);
  const double stopped = 1 - std::exp(-0.087 * 7);
  CHECK(scanner.pair_efficiency(0, 60) == Approx(std::pow(stopped * area, 2) / (2 * pi * d * d)).epsilon(1e-5));
  // In a plane of a round scanner it does not depend on the chord: cos cos / d^2 = 1 / (2 R)^2.
  CHECK(scanner.pair_efficiency(0, 33) == Approx(scanner.pair_efficiency(0, 60)).epsilon(1e-5));
  const double dz = layout.ring_z_mm(5) - layout.ring_z_mm(0);
  CHECK(scanner.pair_efficiency(0, 5 * 120 + 60) / scanner.pair_efficiency(0, 60) ==
        Approx(std::pow(d * d / (d * d + dz * dz), 2)).epsilon(1e-5));
}

TEST_CASE("the scanners that ship have the published numbers of crystals") {
  const auto names = shipped_scanners();
  CHECK(names == std::vector<std::string>{"gemini_tf", "mmr", "small_animal", "vision"});
  const Scanner gemini = load_scanner("gemini_tf");
  CHECK(gemini.crystals() == 44 * 644);
  CHECK(gemini.tof_fwhm_ps == 600);
  CHECK(std::hypot(gemini.position[5].x, gemini.position[5].y) == Approx(458.17));
  CHECK(gemini.position[0].z == Approx(-21.5 * 4));
  CHECK(load_scanner("mmr").crystals() == 64 * 504);
  CHECK(load_scanner("vision").crystals() == 80 * 798);
  CHECK(load_scanner("small_animal").crystals() == 2 * 26 * 18 * 13);
}

TEST_CASE("a scanner written as CASToR's table reads back, damage to it is refused or harmless") {
  const test::Scratch folder;
  const Scanner scanner = make_ring_scanner("small", modules(), {100, 12}, "test");
  save_scanner(scanner, folder / "small.hscan");
  const Scanner back = load_scanner((folder / "small.hscan").string());
  CHECK(back.name == "small");
  CHECK(back.position == scanner.position);
  CHECK(back.crystal_mm == scanner.crystal_mm);
  CHECK(back.coincidence.min_angle_deg == 100);
  for (std::size_t i = 0; i < back.outward.size(); ++i)
    CHECK(glm::distance(back.outward[i], scanner.outward[i]) < 1e-6);

  std::filesystem::copy(folder / "small.lut", folder / "bad.lut");
  const auto read = [](const std::filesystem::path& file) { load_scanner(file.string()); };
  CHECK(test::read_damaged(folder / "small.hscan", folder / "bad.hscan", read, 48) > 12);
  test::write_bytes(folder / "good.hscan", test::file_bytes(folder / "small.hscan"));
  CHECK(test::read_damaged(
            folder / "small.lut", folder / "good.lut",
            [&](const auto&) { load_scanner((folder / "good.hscan").string()); }, 48) > 12);
}

TEST_CASE("errors of scanner files name the place and the remedy") {
  const test::Scratch folder;
  const auto error = [&](const std::string& name, const std::string& text) {
    test::write_bytes(folder / name, text);
    try {
      load_scanner((folder / name).string());
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  const std::string ring = "[ring]\nmodules = 8\nmodule_rings = 2\nring_spacing_mm = 4\nlayers_mm = [20]\n";
  CHECK_THAT(error("a.toml", "name = 'x'\n"),
             Catch::Contains("ring: is missing; describe the crystals in a table [ring]"));
  CHECK_THAT(error("b.toml", ring), Catch::Contains("[ring] face_radius_mm: is missing"));
  CHECK_THAT(error("c.toml", ring + "face_radius_mm = 50\nmodule_crystals = 5\npitch_mm = 10\n"),
             Catch::Contains("modules of 50 mm overlap: 8 of them at 50 mm have room for 41.42 mm each"));
  CHECK_THAT(error("d.toml", ring + "face_radius_mm = 50\n[coincidence]\nfield_of_view_mm = 200\n"),
             Catch::Contains("field_of_view_mm: 200 is wider than the ring"));
  CHECK_THAT(error("e.toml", ring + "face_radius_mm = 50\nmodule_ring = 3\n"),
             Catch::Contains("did you mean module_rings?"));
  CHECK_THAT(error("f.toml",
                   "[ring]\nmodules = 90000\nmodule_crystals = 90000\nmodule_rings = 90000\nface_radius_mm = 1000\n"
                   "ring_spacing_mm = 4\nlayers_mm = [20]\n"),
             Catch::Contains("at most 16 million"));
  CHECK_THAT(error("map.txt", "# ring det x y z\n0 0 10 0 1\n0 0 11 0 1\n"),
             Catch::Contains("map.txt:3: crystal 0 0 0 is given twice"));
  CHECK_THAT(error("map2.txt", "0 0 10 zero 1\n"), Catch::Contains("map2.txt:1: a column is 'zero'"));
  CHECK_THAT(error("map3.txt", "# nothing\n"), Catch::Contains("holds no crystals"));
  CHECK_THROWS_WITH(load_scanner("pet99"), Catch::Contains("no such scanner") && Catch::Contains("gemini_tf"));
}
