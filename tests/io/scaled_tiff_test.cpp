// 16-bit TIFF whose scale stands in the file.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/scaled_tiff.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/scratch.hpp"

namespace backlit {

TEST_CASE("16-bit TIFF holds values to half a step, and says its scale", "[tiff]") {
  const test::Scratch scratch;
  const Volume volume = test::odd_volume();
  const auto [least, most] = std::ranges::minmax(volume.values.span());
  const CountRange range{least + 0.1 * (most - least), most};
  const auto writer = create_scaled_tiff(scratch / "a.tif", volume.grid, range);
  writer->write(volume.values.span());
  writer->commit();
  const auto stack = open_stack((scratch / "a.tif").string());
  REQUIRE(stack->info().type == "u16");
  REQUIRE(stack->info().images == volume.grid.size[2]);
  const auto counts = stack->read_all();
  double worst = 0;
  for (std::int64_t i = 0; i < volume.grid.voxels(); ++i) {
    const double wanted = std::clamp(static_cast<double>(volume.values[i]), range.low, range.high);
    worst = std::max(worst, std::abs(range.low + range.step() * static_cast<double>(counts[i]) - wanted));
  }
  CHECK(worst <= 0.501 * range.step());
  const std::string bytes = test::file_bytes(scratch / "a.tif");
  CHECK(bytes.find("ImageJ=") != std::string::npos);
  CHECK(bytes.find("cf=0\nc0=") != std::string::npos);
  CHECK_THROWS_AS(create_scaled_tiff(scratch / "b.tif", volume.grid, {1, 1}), InputError);
  CHECK_THROWS_AS(create_scaled_tiff(scratch / "b.tif", volume.grid, {0, std::nan("")}), InputError);
}

}  // namespace backlit
