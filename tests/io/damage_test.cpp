#include <catch2/catch.hpp>

#include <sys/mman.h>

#include <ctime>
#include <set>

#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

using backlit::test::damaged_copies;

TEST_CASE("damaged copies are many, different from the good file and the same on every run") {
  const std::string good = "DimSize = 12 34 56\nElementType = MET_FLOAT\n" + std::string(500, 'x');
  const auto copies = damaged_copies(good, 64, 43), again = damaged_copies(good, 64, 43);
  REQUIRE(copies.size() == 64);
  std::set<std::string> distinct;
  int changed = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    CHECK(copies[i].bytes == again[i].bytes);
    distinct.insert(copies[i].bytes);
    changed += copies[i].bytes != good;
  }
  CHECK(changed >= 58);
  CHECK(distinct.size() >= 55);
  CHECK(damaged_copies("1", 40).size() == 40);
}

TEST_CASE("reading a damaged copy may neither take long nor ask for much memory, used or not") {
  using backlit::test::read_damaged;
  const backlit::test::Scratch folder;
  backlit::test::write_bytes(folder / "good", "12 34");
  const auto run = [&](const auto& read, const backlit::test::ReadLimits& limits) {
    return read_damaged(folder / "good", folder / "victim", read, 8, 0, limits);
  };
  const auto spin = [](const std::filesystem::path&) {
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 5;
    while (std::clock() < end) {
    }
  };
  if (!backlit::test::sanitized)
    CHECK_THROWS_WITH(run(spin, {.seconds = 0.1}), Catch::Contains("reading took 0.2 s after"));
  CHECK_THROWS_WITH(run(spin, {.seconds = 0.001}), Catch::Contains("reading took"));
  CHECK(run([](const std::filesystem::path&) {}, {}) == 0);
  if (backlit::test::sanitized) return;
  // Reserved, never touched, given back at once: as a vector or a buffer of a damaged size would be.
  const auto reserve = [](const std::filesystem::path&) {
    const std::size_t size = std::size_t{3} << 30;
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) ::munmap(memory, size);
  };
  CHECK_THROWS_WITH(run(reserve, {}), Catch::Contains("reading asked for 3"));
  const auto take = [](const std::filesystem::path&) { std::string(std::size_t{5} << 30, 'x'); };
  CHECK_THROWS_WITH(run(take, {}), Catch::Contains("not an Error of ours"));
}
