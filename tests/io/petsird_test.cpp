// PETSIRD: files that the package of six versions wrote (two types of modules, time of flight, energy bins,
// efficiencies, prompts and delayeds).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include "io/lists/petsird/petsird_blocks.hpp"
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/object_likeness.hpp"
#include "support/io/small_scanner.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

fs::path sample(const std::string& version) {
  return test::source_dir() / ("tests/io/samples/petsird-" + version + ".petsird");
}

/// A copy of the sample of 0.12 with a block of events of its own. `prompts`: lists by pair of types of modules, as
/// yardl writes them.
fs::path with_prompts(const test::Scratch& folder, const std::string& prompts) {
  formats::YardlReader reader(sample("0.12.0"));
  reader.skip(reader.steps().front().second);
  const auto header = static_cast<std::size_t>(reader.cursor().position());
  std::string bytes = test::file_bytes(sample("0.12.0")).substr(0, header);
  bytes += std::string("\x01\0\0\x0a\0", 5);  // one block, of events, 0 to 10 ms, no singles
  bytes += prompts;
  bytes += std::string("\0\0\0\0", 4);  // no delayeds, triples, quadruples; no more blocks
  test::write_bytes(folder / "pairs.petsird", bytes);
  return folder / "pairs.petsird";
}

}  // namespace

TEST_CASE("PETSIRD: values are listed with unit and place, and so is what is not used", "[petsird]") {
  const ListModeFile file = load_list_mode(sample("later"));
  CHECK(test::fact(file, "modules of type 0") == "4 of 4 crystals, energy bins: 2");
  CHECK(test::fact(file, "time of flight of types 1 and 1") == "3 bins of 1334.25638 ps, FWHM 40.0276914 ps");
  CHECK(test::fact(file, "time of flight of types 1 and 0") == "none");
  CHECK(test::fact(file, "time of flight of the list") == "not used");
  CHECK(test::fact(file, "weight of the patient") == "65 kg");
  CHECK(test::fact(file, "duration") == "0.03 s");
  const auto weight = std::ranges::find(file.facts, "weight of the patient", &ScanFact::meaning);
  CHECK(weight->source == "petsird-later.petsird, exam.patient.patientsWeight");
  // A name in the scanner, a map, a record in each block, a kind of block and a flag of each event.
  for (const char* field :
       {"scanner.serialNumber = XY-7", "sites = 4 values", "EventTimeBlock.deadTimes = in blocks: 3",
        "TemperatureTimeBlock = in blocks: 1", "promptEvents.scatterFlag = of each event",
        "scanner.detectionEfficiencies.calibrationFactor = 42", "exam.patient.patientsSex = F"}) {
    INFO(field);
    CHECK(std::ranges::count(file.unused, field) == 1);
  }
  const auto unused_part = [&](const char* part) {
    return std::ranges::count_if(file.unused, [&](const std::string& u) { return u.find(part) != std::string::npos; });
  };
  CHECK(unused_part("transforms") == 0);
  CHECK(unused_part("tofBinEdges") == 0);
  CHECK(unused_part("modelName") == 0);
}

TEST_CASE("PETSIRD: a pair of types of modules without time of flight matters where it has events", "[petsird]") {
  const test::Scratch folder;
  // Types 0 and 0 have five bins of time of flight, 1 and 0 have none. Rows: (0, 0); (1, 0), (1, 1).
  ListModeFile file = load_list_mode(with_prompts(folder, std::string("\x02\x01\x01\x1e\x07\x02\x02\0\0", 9)));
  REQUIRE(file.events->info().has_tof());
  CHECK(file.events->info().tof_fwhm_ps == Approx(60.0415371));
  CHECK(file.scanner.tof_fwhm_ps == Approx(60.0415371));
  const EventList events = read_all(*file.events);
  REQUIRE(events.size() == 1);
  CHECK((events.crystal1[0] == 15 && events.crystal2[0] == 3));  // bins 30 and 7
  CHECK(events.dt_ps[0] == Approx(0).margin(1e-3));              // the third of five bins
  CHECK(std::ranges::count(file.facts, "time of flight of the list", &ScanFact::meaning) == 0);

  // With one event of types 1 and 0, no event has time of flight: the engine has one kind of weights for a list.
  ListModeFile both =
      load_list_mode(with_prompts(folder, std::string("\x02\x01\x01\x1e\x07\x02\x02\x01\x05\x14\0\0", 12)));
  CHECK_FALSE(both.events->info().has_tof());
  const EventList all = read_all(*both.events);
  REQUIRE(all.size() == 2);
  CHECK(all.dt_ps.empty());
  CHECK((all.crystal1[1] == 16 + 5 && all.crystal2[1] == 10));
  const auto fact = std::ranges::find(both.facts, "time of flight of the list", &ScanFact::meaning);
  REQUIRE(fact != both.facts.end());
  CHECK(fact->source == "events of types 1 and 0 have none");

  // Types 0 and 1 have a place for edges, but none in it: such events are those of types 1 and 0.
  CHECK(std::ranges::count(file.facts, "time of flight of types 0 and 1", &ScanFact::meaning) == 0);
  ListModeFile upper = load_list_mode(with_prompts(folder, std::string("\x02\x02\0\x01\x14\x05\0\x02\0\0", 10)));
  CHECK_THROWS_WITH(read_all(*upper.events),
                    Catch::Contains("pairs.petsird") && Catch::Contains("types of modules 0 and 1") &&
                        Catch::Contains("no tofBinEdges") && Catch::Contains("name the larger type first"));
}

TEST_CASE("PETSIRD 0.12: crystals, events and efficiencies are those of the package", "[petsird]") {
  REQUIRE(is_list_mode(sample("0.12.0")));
  ListModeFile file = load_list_mode(sample("0.12.0"));
  CHECK(file.events->info().format == "petsird");
  CHECK(file.scanner.name == "PETSIRD_TEST");
  REQUIRE(file.scanner.crystals() == 4 * 4 + 3 * 3);
  // Element 0 of module 1 of either type; lengths are floats there.
  CHECK(glm::length(Vec3(file.scanner.position[4]) - Vec3(0, -410, 0)) < 1e-3);
  CHECK(glm::length(Vec3(file.scanner.position[16 + 3]) - Vec3(78.36603, -133.73393, -1)) < 1e-3);
  CHECK_FALSE(file.events->info().has_tof());  // modules of different types have none
  const EventList events = read_all(*file.events);
  REQUIRE(events.size() == 57);
  CHECK(file.events->counts().prompts == 57);
  CHECK(file.events->info().events == 57);
  CHECK(file.events->info().places.empty());
  CHECK(file.events->counts().delayeds == 3 * 6);
  // Detection bins 30 and 7 with two energies a crystal; 5 of type 1 and 20 of type 0; 6 and 5 of type 1.
  CHECK((events.crystal1[0] == 15 && events.crystal2[0] == 3));
  CHECK((events.crystal1[5] == 16 + 5 && events.crystal2[5] == 10));
  CHECK((events.crystal1[56] == 16 + 6 && events.crystal2[56] == 16 + 5));
  CHECK(events.time_ms[0] == 0);
  CHECK(events.time_ms[56] == 20);
  double sum = 0;
  for (const float norm : events.norm) sum += 1 / static_cast<double>(norm);
  CHECK(1 / static_cast<double>(events.norm[0]) == Approx(4.17300005).epsilon(1e-6));
  CHECK(1 / static_cast<double>(events.norm[5]) == Approx(17.2200003).epsilon(1e-6));
  CHECK(sum == Approx(504.873084).epsilon(1e-6));
  // Some at a time gives the same.
  file.events->rewind();
  EventList some, all;
  while (file.events->read(4, some)) {
    CHECK(some.size() <= 4);
    all.append(some, 0, some.size());
  }
  CHECK(all.crystal1 == events.crystal1);
  CHECK(all.norm == events.norm);
}

TEST_CASE("PETSIRD: the sensitivity's efficiencies of pairs are those of get_detection_efficiency", "[petsird]") {
  // The package's values, summed over energy bins: one type of modules, both, and a pair not in coincidence.
  const ListModeFile file = load_list_mode(sample("0.12.0"));
  const Scanner& scanner = file.scanner;
  CHECK(scanner.geometry_is_given);
  CHECK(scanner.pair_efficiency(15, 3) == Approx(16.6778993).epsilon(1e-6));
  CHECK(scanner.pair_efficiency(0, 9) == Approx(9.52739997).epsilon(1e-6));
  CHECK(scanner.pair_efficiency(21, 10) == Approx(34.5835004).epsilon(1e-6));
  CHECK(scanner.pair_efficiency(24, 16) == Approx(8.31999969).epsilon(1e-6));
  CHECK(scanner.pair_efficiency(5, 18) == Approx(8.92840007).epsilon(1e-6));
  double sum = 0;
  int none = 0;
  for (std::int64_t a = 0; a < scanner.crystals(); ++a)
    for (std::int64_t b = 0; b < a; ++b) {
      sum += scanner.pair_efficiency(a, b);
      none += scanner.pair_efficiency(b, a) == 0;
    }
  CHECK(sum == Approx(5496.26525).epsilon(1e-6));
  CHECK(none == 33);
}

TEST_CASE("PETSIRD: a list that is written comes back: places, times, time of flight, delayeds, efficiencies",
          "[petsird]") {
  const test::Scratch folder;
  Scanner scanner = test::small_scanner();
  for (std::int64_t c = 0; c < scanner.crystals(); ++c) scanner.efficiency.push_back(1 + 0.01f * static_cast<float>(c));
  ListModeInfo info;
  info.tof_fwhm_ps = 400;
  info.tof_range_ps = 4000;
  info.tof_bin_ps = 50;
  info.duration_s = 10;  // longer than its events
  EventList written;
  for (std::uint32_t i = 0; written.size() < 300; ++i) {
    const std::uint32_t a = i % 48, b = (7 * i + 11) % 48;
    if (!scanner.in_coincidence(a, b)) continue;
    written.crystal1.push_back(a);
    written.crystal2.push_back(b);
    written.dt_ps.push_back(static_cast<float>(13 * (i % 70)) - 443.5f);
    written.time_ms.push_back(3 * i);
    written.kind.push_back(i % 5 ? EventKind::unknown : EventKind::delayed);
  }
  const auto writer = create_list_mode(folder / "a.petsird", scanner, info);
  writer->write(written);
  writer->commit();
  CHECK(writer->events() == 300);

  ListModeOptions options;
  options.delayeds = true;
  const ListModeFile file = load_list_mode(folder / "a.petsird", options);
  REQUIRE(file.scanner.crystals() == scanner.crystals());
  CHECK(file.events->info().tof_fwhm_ps == Approx(400));
  CHECK(file.events->info().tof_bin_ps == Approx(50));
  CHECK(file.events->info().duration_s == Approx(10));
  CHECK(load_list_mode(folder / "a.petsird").events->info().events == 240);  // prompts
  CHECK(glm::distance(file.scanner.crystal_mm, scanner.crystal_mm) < 1e-2);
  const EventList read = read_all(*file.events);
  REQUIRE(read.size() == 300);
  std::vector<std::uint32_t> number;  // of the file's crystals, in the scanner that was written
  for (const Vec3f& place : file.scanner.position) {
    const auto near =
        std::ranges::find_if(scanner.position, [&](const Vec3f& p) { return glm::distance(p, place) < 1e-2f; });
    REQUIRE(near != scanner.position.end());
    number.push_back(static_cast<std::uint32_t>(near - scanner.position.begin()));
  }
  // Blocks hold their prompts, then their delayeds, and of two crystals either may be first.
  using Event = std::tuple<std::uint32_t, bool, std::uint32_t, std::uint32_t, double>;
  const auto event = [](const EventList& e, std::size_t i, std::uint32_t one, std::uint32_t two) {
    const double bin = std::floor((static_cast<double>(e.dt_ps[i]) * (one < two ? 1 : -1) + 2000) / 50);
    return Event(e.time_ms[i] / 100, e.kind[i] == EventKind::delayed, std::min(one, two), std::max(one, two), bin);
  };
  std::vector<Event> before, after;
  for (std::size_t i = 0; i < 300; ++i) {
    before.push_back(event(written, i, written.crystal1[i], written.crystal2[i]));
    after.push_back(event(read, i, number[read.crystal1[i]], number[read.crystal2[i]]));
  }
  std::ranges::sort(before);
  std::ranges::sort(after);
  for (std::size_t i = 0; i < 300; ++i) REQUIRE((before[i] == after[i]));
  double worst = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const double e =
        double(file.scanner.efficiency[read.crystal1[i]]) * double(file.scanner.efficiency[read.crystal2[i]]);
    worst = std::max(worst, std::abs(1 / double(read.norm[i]) / e - 1));
  }
  CHECK(worst < 1e-6);
  // All pairs of modules count alike: what they lack is the geometry, which the crystals give.
  CHECK_FALSE(file.scanner.geometry_is_given);
  CHECK(file.scanner.pair_efficiency(0, 24) == Approx(scanner.pair_efficiency(number[0], number[24])).epsilon(1e-3));

  EventList corrected = written;
  corrected.acf.assign(300, 1.5f);
  CHECK_THROWS_WITH(create_list_mode(folder / "b.petsird", scanner, info)->write(corrected),
                    Catch::Contains("without corrections of their own"));
  CHECK_FALSE(fs::exists(folder / "b.petsird"));
}

TEST_CASE("PETSIRD: older versions, time of flight and delayeds", "[petsird]") {
  ListModeFile middle = load_list_mode(sample("0.9.1"));
  CHECK(read_all(*middle.events).size() == 57);
  ListModeOptions options;
  options.delayeds = true;
  ListModeFile file = load_list_mode(sample("0.7.2"), options);
  REQUIRE(file.scanner.crystals() == 16);
  const ListModeInfo& info = file.events->info();
  REQUIRE(info.has_tof());
  const EventList events = read_all(*file.events);
  CHECK(events.size() == 3 * (7 + 2));
  CHECK(std::ranges::count(events.kind, EventKind::delayed) == 6);
  CHECK((events.crystal1[0] == 2 && events.crystal2[0] == 13));  // bins 5 and 26
  // Five bins share the range; bin 1 lies one below the middle, and bins are positions (t1 - t2) c / 2.
  CHECK(events.dt_ps[0] == Approx(-info.tof_bin_ps));
  CHECK(info.tof_range_ps == Approx(5 * info.tof_bin_ps));
  options.flip_tof = true;
  ListModeFile flipped = load_list_mode(sample("0.7.2"), options);
  CHECK(read_all(*flipped.events).dt_ps[0] == Approx(info.tof_bin_ps));
}

TEST_CASE("PETSIRD 0.8, 0.10, 0.11: events and efficiencies are those of the packages of these versions", "[petsird]") {
  // Sums over two blocks of what their get_detection_efficiency returns, without the factor of calibration, 42.
  for (const auto& [version, prompts, sum] : {std::tuple("0.8.0", 40, 29.502652511),
                                              {"0.10.0", 30, 1195.10384369 / 42},
                                              {"0.11.1", 30, 1195.10384369 / 42}}) {
    INFO(version);
    ListModeFile file = load_list_mode(sample(version));
    CHECK(file.scanner.name == "PETSIRD_TEST");
    REQUIRE(file.scanner.crystals() == 4 * 4 + 3 * 3);
    CHECK(file.events->info().events == prompts);
    const EventList events = read_all(*file.events);
    REQUIRE(events.size() == prompts);
    double found = 0;
    for (const float norm : events.norm) found += 1 / static_cast<double>(norm);
    CHECK(found == Approx(sum).epsilon(1e-6));
    // Two energies a crystal of type 0, one of type 1; the first list is that of types 0 and 0.
    CHECK((events.crystal1[4] == 10 && events.crystal2[4] == 2));  // bins 20 and 4
    CHECK(events.time_ms[static_cast<std::size_t>(prompts) - 1] == 10);
  }
  // Before version 0.9 events could be in the list of types 0 and 1, too.
  const EventList old = read_all(*load_list_mode(sample("0.8.0")).events);
  CHECK((old.crystal1[5] == 1 && old.crystal2[5] == 16 + 1));  // bins 3 and 1
  CHECK(1 / static_cast<double>(old.norm[5]) == Approx(2.028587579727173).epsilon(1e-6));
}

TEST_CASE("PETSIRD of a later schema: more fields, records and kinds of blocks change nothing", "[petsird]") {
  // petsird-0.12.0 with a name of the scanner, a map in the header, a record in each block, a flag of each event, and
  // blocks of temperatures.
  for (const bool delayeds : {false, true}) {
    ListModeOptions options;
    options.delayeds = delayeds;
    ListModeFile file = load_list_mode(sample("later"), options), known = load_list_mode(sample("0.12.0"), options);
    const EventList later = read_all(*file.events), now = read_all(*known.events);
    CHECK(later.crystal1 == now.crystal1);
    CHECK(later.crystal2 == now.crystal2);
    CHECK(later.norm == now.norm);
    CHECK(later.time_ms == now.time_ms);
    CHECK(later.kind == now.kind);
    CHECK(file.events->counts().others == known.events->counts().others + 1);
    CHECK(file.scanner.position == known.scanner.position);
    CHECK(file.scanner.pair_efficiency(15, 3) == known.scanner.pair_efficiency(15, 3));
    CHECK(file.events->info().duration_s == known.events->info().duration_s);
  }
}

TEST_CASE("PETSIRD: damaged copies are read or refused", "[petsird]") {
  const test::Scratch scratch;
  for (const char* version : {"0.12.0", "0.7.2", "later", "moves"}) {
    const std::size_t size = fs::file_size(sample(version));
    for (const std::size_t header : {std::size_t{0}, size - 200, std::size_t{64}}) {
      const int refused = test::read_damaged(
          sample(version), scratch / "damaged.petsird",
          [](const fs::path& victim) {
            ListModeFile file = load_list_mode(victim);
            read_all(*file.events);
          },
          48, header);
      CHECK(refused > 10);
    }
  }
}

}  // namespace backlit
