// Measured list-mode files: their counts to the event, and a point source at its place.
#include <catch2/catch.hpp>

#include <cmath>

#include <backlit/io/lists/list_mode_file.hpp>
#include "support/paths.hpp"
#include "support/skip.hpp"

using namespace backlit;
namespace fs = std::filesystem;

TEST_CASE("the mMR list holds as many prompts, delayeds and time tags as its words say") {
  const fs::path file = test::data_dir() / "pet-mmr/PET_ACQ_small.l.hdr.STIR";
  if (!fs::exists(file)) BACKLIT_SKIP(file.string() + " is missing");
  for (const char* scanner : {"", "mmr"}) {
    const ListModeFile list = load_list_mode(file, {.scanner = scanner, .flip_tof = false, .delayeds = true});
    const EventList events = read_all(*list.events);
    const ListModeCounts counts = list.events->counts();
    CHECK(counts.prompts == 218'881);
    CHECK(counts.delayeds == 35'320);
    CHECK(counts.time_tags == 613);
    CHECK(counts.others == 2);
    CHECK(events.size() == 218'881 + 35'320);
    CHECK(events.time_ms.back() - events.time_ms.front() == 612);
    // Every pair that the list names is one that the scanner may count.
    std::int64_t outside = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(events.size()); ++i)
      outside += !list.scanner.in_coincidence(events.crystal1[i], events.crystal2[i]);
    CHECK(outside <= (*scanner ? events.size() / 10 : 0));
  }
}

TEST_CASE("the lines of the SAFIR point source pass its place") {
  const fs::path file = test::data_dir() / "pet-points/coincidencesLM.clm.safir";
  if (!fs::exists(file)) BACKLIT_SKIP(file.string() + " is missing");
  const ListModeFile list = load_list_mode(file);
  CHECK(list.scanner.crystals() == 2880);
  const EventList events = read_all(*list.events);
  CHECK(events.size() == 1408);
  CHECK(list.events->counts().time_tags == 93);
  // The point nearest to all lines: sum of (1 - d d^T) (x - p) = 0. Lines that miss the middle by over 3 mm are strays.
  glm::dmat3 sum(0);
  Vec3 right(0);
  double squares = 0;
  int near = 0;
  for (std::size_t i = 0; i < 1408; ++i) {
    const Vec3 p(list.scanner.position[events.crystal1[i]]), q(list.scanner.position[events.crystal2[i]]);
    const Vec3 d = glm::normalize(q - p), off = p - glm::dot(p, d) * d;
    if (glm::length(off) > 3) continue;
    ++near;
    squares += glm::dot(off, off);
    const glm::dmat3 across = glm::dmat3(1) - glm::outerProduct(d, d);
    sum += across;
    right += across * p;
  }
  CHECK(near > 1200);
  CHECK(glm::length(glm::inverse(sum) * right) < 0.1);
  CHECK(std::sqrt(squares / near) == Approx(1).margin(0.3));
}
