// Lists of PET events: in memory, as CASToR's, SAFIR's and Siemens' files, and damaged.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/pet/event_lines.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/small_scanner.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using test::small_scanner;
namespace fs = std::filesystem;

namespace list_mode_test {
namespace {

EventList all_fields(std::size_t events) {
  EventList list;
  for (std::size_t i = 0; i < events; ++i) {
    const auto f = static_cast<float>(i);
    list.crystal1.push_back(static_cast<std::uint32_t>(i % 48));
    list.crystal2.push_back(static_cast<std::uint32_t>((i * 7 + 8) % 48));
    list.dt_ps.push_back(10 * f - 300);
    list.time_ms.push_back(static_cast<std::uint32_t>(3 * i));
    list.acf.push_back(1 + 0.5f * f);
    list.norm.push_back(2 + 0.25f * f);
    list.random_rate.push_back(0.125f * f);
    list.scatter_rate.push_back(0.0625f * f);
    list.kind.push_back(static_cast<EventKind>(i % 5));
  }
  return list;
}

ListModeInfo timed() {
  ListModeInfo info;
  info.duration_s = 12.5;
  info.start_s = 2;
  info.calibration = 3;
  info.tof_fwhm_ps = 400;
  info.tof_range_ps = 4000;
  info.isotope = "F-18";
  return info;
}

void write_list(const fs::path& file, const EventList& events, const Scanner& scanner = small_scanner()) {
  const auto writer = create_list_mode(file, scanner, timed());
  writer->write(events);
  writer->commit();
}

void check_equal(const EventList& a, const EventList& b) {
  CHECK(a.crystal1 == b.crystal1);
  CHECK(a.crystal2 == b.crystal2);
  CHECK(a.dt_ps == b.dt_ps);
  CHECK(a.time_ms == b.time_ms);
  CHECK(a.acf == b.acf);
  CHECK(a.norm == b.norm);
  CHECK(a.random_rate == b.random_rate);
  CHECK(a.scatter_rate == b.scatter_rate);
  CHECK(a.kind == b.kind);
}

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string error_of(const fs::path& file, const ListModeOptions& options = {}) {
  try {
    const ListModeFile list = load_list_mode(file, options);
    read_all(*list.events);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// Reads the list a few events at a time.
void read_through(const fs::path& file) {
  const ListModeFile list = load_list_mode(file);
  EventList chunk;
  while (list.events->read(5, chunk)) continue;
}

constexpr const char* header_text =
    "Scanner name: small\nData filename: list.cdf\nNumber of events: {}\nData mode: list-mode\nData type: PET\n"
    "Start time (s): 0\nDuration (s): 10\n{}";

/// A CASToR list of two events from its bytes.
struct HandMade {
  test::Scratch folder;

  HandMade(const std::string& keys, const std::string& records, int events = 1) {
    save_scanner(small_scanner(), folder / "small.hscan");
    test::write_bytes(folder / "list.cdh", fmt::format(fmt::runtime(header_text), events, keys));
    test::write_bytes(folder / "list.cdf", records);
  }
  EventList read(const ListModeOptions& options = {}) const {
    const ListModeFile list = load_list_mode(folder / "list.cdh", options);
    return read_all(*list.events);
  }
};

}  // namespace

TEST_CASE("CASToR lists: values are listed with their place, and so is what is not used") {
  const HandMade list("Isotope: F-18\nBed displacement (mm): 5\n", "", 0);
  const ListModeFile file = load_list_mode(list.folder / "list.cdh");
  const auto fact = std::ranges::find(file.facts, "Duration (s)", &ScanFact::meaning);
  REQUIRE(fact != file.facts.end());
  CHECK(fact->value == "10");
  CHECK(fact->source == "list.cdh line 7, Duration (s)");
  CHECK(std::ranges::count(file.facts, "Isotope", &ScanFact::meaning) == 1);
  CHECK(file.unused == std::vector<std::string>{"Bed displacement (mm) = 5"});
}

TEST_CASE("a list written as CASToR's comes back as it was, whole or in chunks") {
  const test::Scratch folder;
  const EventList events = all_fields(101);
  write_list(folder / "scan.cdh", events);
  const ListModeFile file = load_list_mode(folder / "scan.cdh");
  CHECK(file.scanner.position == small_scanner().position);
  CHECK(file.scanner.coincidence.max_axial_mm == 8);
  CHECK(file.scanner.tof_fwhm_ps == 400);
  const ListModeInfo& info = file.events->info();
  CHECK(info.format == "castor");
  CHECK(info.events == 101);
  CHECK(info.start_s == 2);
  CHECK(info.duration_s == 12.5);
  CHECK(info.calibration == 3);
  CHECK(info.tof_fwhm_ps == 400);
  CHECK(info.tof_range_ps == 4000);
  CHECK(info.isotope == "F-18");
  check_equal(read_all(*file.events), events);
  file.events->rewind();
  EventList chunk, joined;
  std::int64_t chunks = 0;
  while (file.events->read(7, chunk)) {
    CHECK(chunk.size() <= 7);
    joined.append(chunk, 0, chunk.size());
    ++chunks;
  }
  CHECK(chunks == 15);
  check_equal(joined, events);
  CHECK(file.events->counts().prompts == 101);
  CHECK(fs::file_size(folder / "scan.cdf") == 101 * 33);
}

TEST_CASE("every set of optional fields survives a round trip") {
  for (const unsigned set : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 63u}) {
    EventList events = all_fields(9);
    if (set & 1) events.acf.clear();
    if (set & 2) events.norm.clear();
    if (set & 4) events.random_rate.clear();
    if (set & 8) events.scatter_rate.clear();
    if (set & 16) events.kind.clear();
    if (set & 32) events.dt_ps.clear();
    const test::Scratch folder;
    write_list(folder / "scan.cdh", events);
    const ListModeFile file = load_list_mode(folder / "scan.cdh");
    INFO("without fields " << set);
    check_equal(read_all(*file.events), events);
  }
}

TEST_CASE("depths of interaction survive a round trip, ends that are none are refused") {
  const Scanner scanner = small_scanner();
  EventList events = all_fields(9);
  for (std::size_t i = 0; i < 9; ++i) {
    const auto a = events.crystal1[i], b = events.crystal2[i];
    events.end1.push_back(scanner.position[a] + (0.75f * static_cast<float>(i) - 3) * scanner.outward[a]);
    events.end2.push_back(scanner.position[b] + (4 - 0.5f * static_cast<float>(i)) * scanner.outward[b]);
  }
  const test::Scratch folder;
  write_list(folder / "scan.cdh", events);
  const EventList read = read_all(*load_list_mode(folder / "scan.cdh").events);
  check_equal(read, events);
  REQUIRE(read.end2.size() == 9);
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(glm::distance(read.end1[i], events.end1[i]) < 1e-4f);
    CHECK(glm::distance(read.end2[i], events.end2[i]) < 1e-4f);
  }
  const auto refused = Catch::Matchers::Contains("an event's end does not lie behind the middle of its crystal's face");
  EventList aside = events, before = events;
  aside.end1[4].z += 1;
  before.end2[4] = scanner.position[before.crystal2[4]] - 11.0f * scanner.outward[before.crystal2[4]];
  CHECK_THROWS_WITH(write_list(folder / "aside.cdh", aside), refused);
  CHECK_THROWS_WITH(write_list(folder / "before.cdh", before), refused);
}

TEST_CASE("the bytes of a CASToR record are those of its documentation, in float and in double") {
  const std::string keys =
      "Attenuation correction flag: 1\nCoincidence kind flag: 1\nScatter correction flag: 1\nRandom correction flag: "
      "1\n"
      "Normalization correction flag: 1\nTOF information flag: 1\nTOF resolution (ps): 300\n"
      "List TOF measurement range (ps): 2000\nList TOF quantization bin size (ps): 20\n";
  const auto record = [](auto real) {
    using T = decltype(real);
    return bytes_of<std::uint32_t>(1234) + bytes_of<T>(2.5) + bytes_of<std::uint8_t>(2) + bytes_of<T>(0.25) +
           bytes_of<T>(0.5) + bytes_of<T>(4) + bytes_of<T>(-120) + bytes_of<std::uint32_t>(47) +
           bytes_of<std::uint32_t>(3);
  };
  for (const bool doubles : {false, true}) {
    const HandMade list(keys, doubles ? record(1.0) : record(1.0f));
    const EventList e = list.read();
    REQUIRE(e.size() == 1);
    CHECK(e.time_ms[0] == 1234);
    CHECK(e.acf[0] == 2.5f);
    CHECK(e.kind[0] == EventKind::scatter);
    CHECK(e.scatter_rate[0] == 0.25f);
    CHECK(e.random_rate[0] == 0.5f);
    CHECK(e.norm[0] == 4);
    CHECK(e.dt_ps[0] == -120);
    CHECK(e.crystal1[0] == 47);
    CHECK(e.crystal2[0] == 3);
    CHECK(list.read({.scanner = {}, .flip_tof = true, .delayeds = false}).dt_ps[0] == 120);
    CHECK(load_list_mode(list.folder / "list.cdh").events->info().tof_bin_ps == 20);
  }
}

TEST_CASE("depths of interaction and several lines an event give end points") {
  const Scanner scanner = small_scanner();
  const std::string pair = bytes_of<std::uint32_t>(0) + bytes_of<std::uint32_t>(8);
  {
    // The written table holds points of mean interaction as the crystals' middles: depth 10 of 20 mm is the middle.
    const HandMade list("POI capability: -1,-1,0.5\n",
                        bytes_of<std::uint32_t>(0) + bytes_of<float>(13) + bytes_of<float>(-1) + pair);
    const EventList e = list.read();
    CHECK(glm::distance(e.end1[0], scanner.position[0] + 3.0f * scanner.outward[0]) < 1e-4f);
    CHECK(e.end2[0] == scanner.position[8]);
  }
  {
    const std::string other = bytes_of<std::uint32_t>(1) + bytes_of<std::uint32_t>(9);
    const std::string unused = bytes_of<std::uint64_t>(0);
    const HandMade list("Maximum number of lines per event: 3\n",
                        bytes_of<std::uint32_t>(0) + bytes_of<std::uint16_t>(2) + pair + other + unused +
                            bytes_of<std::uint32_t>(5) + bytes_of<std::uint16_t>(1) + other + unused + unused,
                        2);
    const EventList e = list.read();
    REQUIRE(e.size() == 2);
    CHECK(glm::distance(e.end1[0], 0.5f * (scanner.position[0] + scanner.position[1])) < 1e-4f);
    CHECK(glm::distance(e.end2[0], 0.5f * (scanner.position[8] + scanner.position[9])) < 1e-4f);
    CHECK(e.end1[1] == scanner.position[1]);
    std::array<std::vector<float>, 6> ends;
    end_points(e, scanner, 1, 1, ends);
    CHECK(ends[0][0] == scanner.position[1].x);
    CHECK(ends[5][0] == scanner.position[9].z);
  }
}

TEST_CASE("scatter densities of lists with time of flight are not taken for rates without it") {
  const EventList events = all_fields(10);
  const Scanner scanner = small_scanner();
  const EventModel with_tof{.tof = true, .scatter = true, .randoms = true, .tof_range_ps = 4000, .tof_bin_mm = 0};
  // (scatter + random / range in mm) acf norm
  const EventLines lines(events, scanner, with_tof);
  CHECK(lines.background()[3] == Approx((0.0625 * 3 + 0.125 * 3 / (4000 * half_c_mm_per_ps)) * 2.5 * 2.75));
  EventModel without = with_tof;
  without.tof = false;
  CHECK_THROWS_WITH(EventLines(events, scanner, without),
                    Catch::Contains("densities along the line; keep time of flight"));
  without.scatter = false;
  CHECK(EventLines(events, scanner, without).background()[3] == Approx(0.125 * 3 * 2.5 * 2.75));
}

TEST_CASE("pairs that CASToR marks as not counting are left out") {
  const auto record = [](float norm) {
    return bytes_of<std::uint32_t>(0) + bytes_of(norm) + bytes_of<std::uint32_t>(0) + bytes_of<std::uint32_t>(8);
  };
  const HandMade list("Normalization correction flag: 1\n", record(0) + record(2), 2);
  const ListModeFile file = load_list_mode(list.folder / "list.cdh");
  CHECK(read_all(*file.events).size() == 1);
  CHECK(file.events->counts().others == 1);
}

TEST_CASE("lists taken apart in parallel keep their order and name their first error") {
  std::string records;
  constexpr std::uint32_t events = 20'000;
  const auto record = [](std::uint32_t time, std::uint32_t crystal) {
    return bytes_of(time) + bytes_of(time % 1000 == 7 ? 0.0f : 2.0f) + bytes_of(crystal) + bytes_of<std::uint32_t>(8);
  };
  for (std::uint32_t i = 0; i < events; ++i) records += record(i, i % 40);
  const HandMade list("Normalization correction flag: 1\n", records, events);
  const EventList all = read_all(*load_list_mode(list.folder / "list.cdh").events);
  REQUIRE(all.size() == events - 20);  // those of norm 0 do not count
  std::uint32_t time = 0;
  for (std::size_t i = 0; i < all.time_ms.size(); ++i, ++time) {
    if (time % 1000 == 7) ++time;
    if (all.time_ms[i] != time || all.crystal1[i] != time % 40) FAIL("event " << i << " is of " << all.time_ms[i]);
  }
  for (const std::uint32_t wrong : {19'999, 12'345, 5'000}) {
    const std::string bad = record(wrong, 48);
    records.replace(wrong * bad.size(), bad.size(), bad);
    const HandMade broken("Normalization correction flag: 1\n", records, events);
    CHECK_THAT(error_of(broken.folder / "list.cdh"), Catch::Contains(fmt::format("event {} has a crystal 48", wrong)));
  }
}

TEST_CASE("errors of CASToR lists say where, what and how to mend it") {
  const std::string event = bytes_of<std::uint32_t>(0) + bytes_of<std::uint32_t>(0) + bytes_of<std::uint32_t>(8);
  const auto error = [&](const std::string& keys, const std::string& records, int events = 1) {
    const HandMade list(keys, records, events);
    return error_of(list.folder / "list.cdh");
  };
  CHECK(error("", event) == "accepted");
  CHECK_THAT(error("", event, 2), Catch::Contains("list.cdf: is 12 bytes long, not 2 events of 12 bytes"));
  CHECK_THAT(error("TOF information flag: 1\n", event), Catch::Contains("'TOF resolution (ps)' is missing"));
  CHECK_THAT(error("Attenuation correction flag: 2\n", event),
             Catch::Contains("'Attenuation correction flag' is 2; give 0 to 1"));
  CHECK_THAT(error("Data type: SPECT\n", event), Catch::Contains("'data type' is given twice"));
  CHECK_THAT(error("", bytes_of<std::uint32_t>(0) + bytes_of<std::uint32_t>(48) + bytes_of<std::uint32_t>(0)),
             Catch::Contains("event 0 has a crystal 48, but the scanner has 48"));
  CHECK_THAT(
      error("Attenuation correction flag: 1\n",
            bytes_of<std::uint32_t>(0) + bytes_of(std::nanf("")) + bytes_of<std::uint64_t>(0)),
      Catch::Contains("event 0 has a attenuation correction of nan") || Catch::Contains("attenuation correction of"));
  const HandMade lost("", event);
  fs::remove(lost.folder / "small.hscan");
  CHECK_THAT(error_of(lost.folder / "list.cdh"),
             Catch::Contains("its scanner 'small' is not beside it; put small.hscan and its .lut there"));
  test::write_bytes(lost.folder / "words.txt", "nothing of the kind");
  CHECK_THAT(error_of(lost.folder / "words.txt"),
             Catch::Contains("is not a list of PET events; known are CASToR list mode (.cdh), Siemens"));
  CHECK_FALSE(is_list_mode(lost.folder / "words.txt"));
  CHECK(is_list_mode(lost.folder / "list.cdh"));
}

TEST_CASE("damaged CASToR lists are refused or read, never worse") {
  const test::Scratch folder;
  write_list(folder / "scan.cdh", all_fields(40));
  fs::create_directory(folder / "bad");
  for (const char* name : {"scan.cdf", "scan.hscan", "scan.lut"}) fs::copy(folder / name, folder / "bad" / name);
  CHECK(test::read_damaged(folder / "scan.cdh", folder / "bad/scan.cdh", read_through, 64) > 20);
  fs::copy_file(folder / "scan.cdh", folder / "bad/scan.cdh", fs::copy_options::overwrite_existing);
  CHECK(test::read_damaged(
            folder / "scan.cdf", folder / "bad/scan.cdf", [&](const auto&) { read_through(folder / "bad/scan.cdh"); },
            64) > 30);
}

TEST_CASE("lists go through in pieces: memory does not grow with their length") {
  constexpr int events = 8'000'000;  // 96 MB, all zeros, which take no room on the disk
  const HandMade list("", "", events);
  fs::resize_file(list.folder / "list.cdf", std::uintmax_t{12} * events);
  const ListModeFile file = load_list_mode(list.folder / "list.cdh");
  EventList chunk;
  file.events->read(1 << 18, chunk);
  std::int64_t read = chunk.size();
  // What is touched counts: a thread that first comes in now reserves a heap of 128 MiB and uses little of it.
  const std::int64_t before = test::detail::process_memory("VmHWM");
  while (file.events->read(1 << 18, chunk)) read += chunk.size();
  if (!test::sanitized) CHECK(test::detail::process_memory("VmHWM") - before < 40 << 20);
  CHECK(read == events);
}

TEST_CASE("a writer that fails or is dropped leaves nothing behind") {
  const test::Scratch folder;
  const EventList events = all_fields(5);
  {
    const auto writer = create_list_mode(folder / "scan.cdh", small_scanner(), timed());
    writer->write(events);
    EventList other = events;
    other.acf.clear();
    CHECK_THROWS_WITH(writer->write(other), Catch::Contains("all hold the same fields"));
  }
  CHECK(fs::is_empty(fs::path(folder / "")));
  CHECK_THROWS_WITH(
      create_list_mode(folder / "scan.bin", small_scanner(), timed()),
      Catch::Contains("no format for list mode is called '.bin'; lists are saved as CASToR list mode (.cdh)"));
}

namespace {

std::uint64_t safir_event(std::uint64_t ring_a, std::uint64_t ring_b, std::uint64_t a, std::uint64_t b,
                          bool delayed = false) {
  return ring_a | ring_b << 8 | a << 16 | b << 32 | (delayed ? std::uint64_t{1} << 62 : 0);
}

void write_safir(const test::Scratch& folder) {
  std::string bytes = "SAFIR CListModeData";
  bytes.resize(32, '\0');
  bytes += bytes_of((std::uint64_t{1} << 63) | 7) + bytes_of(safir_event(0, 1, 2, 3)) +
           bytes_of(safir_event(1, 1, 0, 2, true)) + bytes_of((std::uint64_t{1} << 63) | 9) +
           bytes_of(safir_event(1, 0, 1, 0));
  for (std::uint64_t i = 0; i < 20; ++i) bytes += bytes_of(safir_event(i % 2, 0, i % 4, (i + 2) % 4));
  test::write_bytes(folder / "list.clm.safir", bytes);
  std::string map = "#ring det layer x y z\n";
  for (int ring = 0; ring < 2; ++ring)
    for (int det = 0; det < 4; ++det)
      map +=
          fmt::format("{} {} 0 {} {} {}\n", ring, det, std::cos(det * 1.6) * 70, std::sin(det * 1.6) * 70, 10 * ring);
  test::write_bytes(folder / "crystal_map.txt", map);
}

}  // namespace

TEST_CASE("SAFIR lists: crystals by their map, times, delayeds, damage") {
  const test::Scratch folder;
  write_safir(folder);
  const ListModeFile file = load_list_mode(folder / "list.clm.safir");
  REQUIRE(file.facts.size() == 2);
  CHECK(file.facts[0].value == fmt::format("{}", file.scanner.crystals()));
  CHECK(file.facts[0].source == (folder / "crystal_map.txt").string());
  const EventList events = read_all(*file.events);
  REQUIRE(events.size() == 22);
  CHECK(events.crystal1[0] == 2);
  CHECK(events.crystal2[0] == 7);
  CHECK(events.time_ms[0] == 7);
  CHECK(events.crystal1[1] == 5);
  CHECK(events.crystal2[1] == 0);
  CHECK(events.time_ms[1] == 9);
  CHECK(file.events->counts().delayeds == 1);
  CHECK(file.events->counts().time_tags == 2);
  const ListModeFile both =
      load_list_mode(folder / "list.clm.safir", {.scanner = {}, .flip_tof = false, .delayeds = true});
  CHECK(read_all(*both.events).kind[1] == EventKind::delayed);

  fs::create_directory(folder / "bad");
  fs::copy(folder / "crystal_map.txt", folder / "bad/crystal_map.txt");
  CHECK(test::read_damaged(folder / "list.clm.safir", folder / "bad/list.clm.safir", read_through, 64) > 20);
  fs::copy(folder / "list.clm.safir", folder / "bad/list.clm.safir", fs::copy_options::overwrite_existing);
  CHECK(test::read_damaged(
            folder / "crystal_map.txt", folder / "bad/crystal_map.txt",
            [&](const auto&) { read_through(folder / "bad/list.clm.safir"); }, 48) > 12);
  test::write_bytes(folder / "other_crystal_map.txt", "0 0 0 70 0 0\n");
  CHECK_THAT(error_of(folder / "list.clm.safir"), Catch::Contains("2 crystal maps are beside it"));
  CHECK_THAT(error_of(folder / "list.clm.safir",
                      {.scanner = (folder / "other_crystal_map.txt").string(), .flip_tof = false, .delayeds = false}),
             Catch::Contains("word 1 names ring 0, detector 2, layer 0, which the crystal map lacks"));
}

namespace {

constexpr const char* siemens_header =
    "!INTERFILE:=\nname of data file := list.l\ndata format:=CoincidenceList\nnumber of rings:=3\n"
    "distance between rings (cm):=0.4\ngantry crystal radius (cm):=5\n%LM event and tag words format (bits):=32\n"
    "%axial compression:=1\n%maximum ring difference:=2\n%number of projections:=8\n%number of views:=8\n";

/// 16 detectors a ring: the pairs of a bin by STIR's rule.
std::uint32_t siemens_bin(std::uint32_t tangential, std::uint32_t view, std::uint32_t plane) {
  return tangential + 8 * (view + 8 * plane);
}

}  // namespace

TEST_CASE("Siemens lists: bins to crystals, delayeds, times, damage") {
  const test::Scratch folder;
  const std::uint32_t prompt = 1u << 30, time = 1u << 31, other = 0xb0000000u;
  std::string bytes = bytes_of(time | 3) + bytes_of(prompt | siemens_bin(4, 0, 0)) + bytes_of(siemens_bin(0, 0, 0)) +
                      bytes_of(other) + bytes_of(time | 5) + bytes_of(prompt | siemens_bin(7, 2, 3)) +
                      bytes_of(prompt | siemens_bin(4, 1, 5)) + bytes_of(prompt | siemens_bin(4, 1, 7));
  for (std::uint32_t i = 0; i < 16; ++i) bytes += bytes_of(prompt | siemens_bin(i % 8, i % 5, i % 9));
  test::write_bytes(folder / "list.l", bytes);
  test::write_bytes(folder / "list.hdr", siemens_header);
  const ListModeFile file = load_list_mode(folder / "list.hdr");
  CHECK(file.scanner.crystals() == 48);
  CHECK(file.scanner.coincidence.min_angle_deg == Approx(90));
  const auto radius = std::ranges::find(file.facts, "radius of the crystals", &ScanFact::meaning);
  REQUIRE(radius != file.facts.end());
  CHECK(radius->value == "50 mm");
  CHECK(radius->source == "list.hdr line 6, gantry crystal radius (cm)");
  CHECK(file.unused == std::vector<std::string>{"data format = CoincidenceList"});
  const EventList events = read_all(*file.events);
  REQUIRE(events.size() == 20);
  const auto counts = file.events->counts();
  CHECK(counts.prompts == 20);
  CHECK(counts.delayeds == 1);
  CHECK(counts.time_tags == 2);
  CHECK(counts.others == 1);
  // The middle projection of view 0, plane 0: detectors 0 and 8 of ring 0.
  CHECK(events.crystal1[0] == 0);
  CHECK(events.crystal2[0] == 8);
  // Projection +3, view 2: detectors 2 + 1 and 2 - 2 + 8. Plane 3 is the first of segment +1: rings 0 and 1.
  CHECK(events.crystal1[1] == 3);
  CHECK(events.crystal2[1] == 16 + 8);
  // Plane 5 is the first of segment -1: rings 1 and 0; plane 7 of segment +2: rings 0 and 2.
  CHECK(events.crystal1[2] == 16 + 1);
  CHECK(events.crystal2[2] == 9);
  CHECK(events.crystal2[3] == 32 + 9);
  CHECK(events.time_ms[0] == 3);
  CHECK(events.time_ms[1] == 5);

  fs::create_directory(folder / "bad");
  fs::copy(folder / "list.l", folder / "bad/list.l");
  CHECK(test::read_damaged(folder / "list.hdr", folder / "bad/list.hdr", read_through, 64) > 20);
  test::write_bytes(folder / "bad/list.hdr", siemens_header);
  CHECK(test::read_damaged(
            folder / "list.l", folder / "bad/list.l", [&](const auto&) { read_through(folder / "bad/list.hdr"); }, 64) >
        20);
  CHECK_THAT(error_of(folder / "list.hdr", {.scanner = "mmr", .flip_tof = false, .delayeds = false}),
             Catch::Contains("has 32256 crystals, but the list names 3 rings of 16"));
}

}  // namespace list_mode_test
