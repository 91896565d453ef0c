// Lines of response on the graphics pipeline, drawn and computed, against the CPU's in double precision.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

#include <backlit/core/error.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/projectors/line_cases.hpp"

namespace backlit::gl {

using test::backproject, test::line_cases, test::lines_for, test::project;

TEST_CASE("Lines drawn and computed by OpenGL are those of the CPU, forward and back") {
  GlBackend gpu(test_context());
  for (test::LineCase c : line_cases()) {
    const bool large = c.grid.voxels() > 100'000;
    const test::Lines lines = lines_for(c, large ? 300 : 900);
    CpuBackend cpu(BackendOptions{});
    const auto b = cpu.make_listmode(c.grid, lines.list(), c.options);
    const auto x = random_values(c.grid.voxels(), 1), y = random_values(lines.list().count(), 2);
    const auto forward = project(cpu, *b, x), back = backproject(cpu, *b, y);
    for (const char* variant : {"draw=compute", "draw=fragment"}) {
      if (large && std::string(variant) == "draw=fragment") continue;  // llvmpipe takes its time
      INFO(c.name << " " << variant);
      c.options.variant = variant;
      const auto a = gpu.make_listmode(c.grid, lines.list(), c.options);
      CHECK(relative_l2(project(gpu, *a, x), forward) < 1e-4);
      CHECK(relative_l2(backproject(gpu, *a, y), back) < 5e-4);
    }
  }
}

TEST_CASE("OpenGL's floating-point sums keep small values beside huge ones") {
  GlBackend gpu(test_context());
  CpuBackend cpu(BackendOptions{});
  test::LineCase c = line_cases()[3];
  const test::Lines lines = lines_for(c, 600);
  const auto b = cpu.make_listmode(c.grid, lines.list(), c.options);
  auto y = random_values(600, 2);
  y[77] = 1e7f;  // as events that nothing explains have it
  // Voxels that the huge line does not touch.
  std::vector<float> mark(600), other = y;
  mark[77] = 1;
  other[77] = 0;
  const auto touched = backproject(cpu, *b, mark);
  auto exact = backproject(cpu, *b, other);
  const auto error = [&](LineOptions::Sums sums) {
    c.options.sums = sums;
    const auto a = gpu.make_listmode(c.grid, lines.list(), c.options);
    CHECK_THAT(a->variant(), Catch::EndsWith(sums == LineOptions::Sums::fixed ? "fixed sums" : "floating sums"));
    auto values = backproject(gpu, *a, y);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (touched[i] > 0) values[i] = exact[i] = 0;
    return relative_l2(values, exact);
  };
  CHECK(error(LineOptions::Sums::floating) < 1e-4);
  CHECK(error(LineOptions::Sums::fixed) > 0.1);
}

TEST_CASE("OpenGL's lines add up over subsets of rows") {
  GlBackend gpu(test_context());
  const test::LineCase c = line_cases()[3];
  const test::Lines lines = lines_for(c, 1500);  // six rows of 256, the last not full
  for (const char* variant : {"draw=compute", "draw=fragment"}) {
    INFO(variant);
    LineOptions options = c.options;
    options.variant = variant;
    const auto a = gpu.make_listmode(c.grid, lines.list(), options);
    REQUIRE(a->range().n2 == 6);
    const auto x = random_values(c.grid.voxels(), 3), y = random_values(6 * 256, 4);
    const auto all = project(gpu, *a, x), whole = backproject(gpu, *a, y);
    const ArrayPtr image = a->make_domain(), values = a->make_range(6), part = a->make_range(3);
    gpu.upload(x, *image);
    const Subset odd{1, 3, 2}, even{0, 3, 2};
    a->forward(*image, *part, odd, Write::overwrite);
    a->forward(*image, *part, odd, Write::accumulate);
    std::vector<float> some(3 * 256), sum(x.size());
    gpu.download(*part, some);
    for (std::size_t i = 0; i < 256; i += 17) CHECK(some[256 + i] == Approx(2 * all[3 * 256 + i]).margin(1e-6));
    gpu.upload(y, *values);
    a->back(*values, *image, odd, Write::overwrite);
    a->back(*values, *image, even, Write::accumulate);
    gpu.download(*image, sum);
    CHECK(relative_l2(sum, whole) < 1e-4);
    // Rows of an array of their own.
    gpu.upload(std::vector<float>(y.begin(), y.begin() + 3 * 256), *part);
    std::vector<float> apart = y, compact(x.size()), full(x.size());
    std::fill(apart.begin(), apart.end(), 0.0f);
    for (std::size_t r = 0; r < 3; ++r)
      std::copy_n(y.begin() + std::ptrdiff_t(r) * 256, 256, apart.begin() + (1 + 2 * std::ptrdiff_t(r)) * 256);
    a->back(*part, *image, odd, Write::overwrite);
    gpu.download(*image, compact);
    CHECK(relative_l2(compact, backproject(gpu, *a, apart)) < 1e-4);
  }
  LineOptions options = c.options;
  options.variant = "texture";
  CHECK_THROWS_WITH(gpu.make_listmode(c.grid, lines.list(), options),
                    Catch::Matchers::Contains("'texture' is not offered; choose draw=fragment or draw=compute"));
}

}  // namespace backlit::gl
