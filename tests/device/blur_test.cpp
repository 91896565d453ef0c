// Smoothing of volumes, of the CPU and in general.
#include <backlit/core/error.hpp>
#include "support/projectors/blurs.hpp"

using namespace backlit;
using Catch::Matchers::Contains;

TEST_CASE("Smoothing by the CPU is what its formula says, and its own transpose") {
  CpuBackend cpu(BackendOptions{});
  test::check_blur(cpu);
  test::check_blurred_lines(cpu, 1e-6);
}

TEST_CASE("Blurs of no width, and backends that have none, say so") {
  CpuBackend cpu(BackendOptions{});
  const VolumeGrid grid{{5, 5, 5}, Vec3(2), Vec3(0)};
  CHECK_THROWS_WITH(GaussianBlur(cpu, grid, 0), Contains("blur: a width of 0 mm; give a positive number of mm"));
  const auto blur = std::make_shared<GaussianBlur>(cpu, grid, 4);
  const test::Lines lines = test::random_lines(4, 50);
  const VolumeGrid other{{5, 5, 6}, Vec3(2), Vec3(0)};
  CHECK_THROWS_WITH(BlurredOperator(cpu, cpu.make_listmode(other, lines.list(), test::thin_lines()), blur),
                    Contains("the operator's image is not on the grid"));
}
