// Lines of response on CUDA against the CPU's in double precision.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include "backend/cpu/cpu_backend.hpp"
#include "pet/reconstruction.hpp"
#include "support/cuda.hpp"
#include "support/lines.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

struct LineCase {
  const char* name;
  VolumeGrid grid;
  LineOptions options;
  bool tof;
  int kernels = 1;
};

std::vector<LineCase> line_cases() {
  const VolumeGrid odd{{37, 41, 13}, Vec3(4, 3.5, 5), Vec3(3, -2, 1)}, large{{150, 131, 97}, Vec3(2), Vec3(0)};
  const auto with_tof = [](LineOptions o, double bin) {
    o.tof = {.sigma_mm = 20, .bin_mm = bin};
    return o;
  };
  LineOptions table = tubes(gaussian_tube(9, 8));
  table.variant = "table";
  LineOptions several{.kernels = {gaussian_tube(6, 6), bessel_tube(9), box_tube(5)}};
  return {{"thin", odd, thin_lines(), false},
          {"thin, TOF", odd, with_tof(thin_lines(), 8), true},
          {"gaussian", odd, tubes(gaussian_tube(9, 8)), false},
          {"gaussian, TOF", odd, with_tof(tubes(gaussian_tube(9, 8)), 0), true},
          {"gaussian by table", odd, table, false},
          {"several tubes, TOF", odd, with_tof(several, 8), true, 3},
          {"wide tube", odd, tubes(gaussian_tube(30, 26)), false},
          {"thin, tiles", large, thin_lines(), false},
          {"bessel, tiles, TOF", large, with_tof(tubes(bessel_tube(5)), 0), true}};
}

Lines lines_for(const LineCase& c, int count) {
  Lines lines = random_lines(count, 230, 17);
  if (c.tof) add_tof(lines, 120);
  if (c.kernels > 1)
    for (int i = 0; i < count; ++i) lines.kernel.push_back(static_cast<std::uint8_t>(i % c.kernels));
  return lines;
}

}  // namespace

TEST_CASE("Lines on CUDA are those of the CPU, forward and back") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& gpu = device->innermost();
  for (const LineCase& c : line_cases())
    for (const auto sums : {LineOptions::Sums::fixed, LineOptions::Sums::floating}) {
      INFO(c.name << (sums == LineOptions::Sums::fixed ? ", fixed" : ", floating"));
      LineOptions options = c.options;
      options.sums = sums;
      const Lines lines = lines_for(c, 6000);
      CpuBackend cpu(BackendOptions{});
      LineOptions exact = options;
      exact.variant = "";
      const auto a = gpu.make_listmode(c.grid, lines.list(), options),
                 b = cpu.make_listmode(c.grid, lines.list(), exact);
      const auto x = random_values(c.grid.voxels(), 1), y = random_values(6000, 2);
      CHECK(relative_l2(project(gpu, *a, x), project(cpu, *b, x)) < 3e-4);
      CHECK(relative_l2(backproject(gpu, *a, y), backproject(cpu, *b, y)) < 1e-3);
    }
}

TEST_CASE("CUDA's lines are their transposes' transposes, whatever the size of values") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& gpu = device->innermost();
  for (const LineCase& c : line_cases()) {
    INFO(c.name);
    const Lines lines = lines_for(c, 5000);
    const auto a = gpu.make_listmode(c.grid, lines.list(), c.options);
    auto x = random_values(c.grid.voxels(), 3, -1), y = random_values(5000, 4, -1);
    for (const float scale : {1.0f, 1e12f, 1e-15f}) {  // the integers' scales follow
      auto scaled = y;
      for (float& v : scaled) v *= scale;
      scaled[17] = 300 * scale;  // and one value may be far above the others
      const auto ax = project(gpu, *a, x), aty = backproject(gpu, *a, scaled);
      double one = 0, other = 0, size = 0;
      for (std::size_t i = 0; i < ax.size(); ++i) {
        one += double(ax[i]) * scaled[i];
        size += std::abs(double(ax[i]) * scaled[i]);
      }
      for (std::size_t i = 0; i < x.size(); ++i) other += double(x[i]) * aty[i];
      CHECK(std::abs(one - other) < 1e-4 * size);
    }
    // A subset is those rows of the whole, and adds up.
    const ArrayPtr image = gpu.make_array(shape_of(c.grid)), part = a->make_range(700), full = a->make_range(5000);
    gpu.upload(x, *image);
    const Subset some{5, 700, 6};
    a->forward(*image, *full, a->all(), Write::overwrite);
    a->forward(*image, *part, some, Write::overwrite);
    a->forward(*image, *part, some, Write::accumulate);
    std::vector<float> values(700), all(5000);
    gpu.download(*part, values);
    gpu.download(*full, all);
    for (std::size_t i = 0; i < 700; i += 41) CHECK(values[i] == Approx(2 * all[5 + 6 * i]));
  }
}

TEST_CASE("Fixed-point sums repeat bit for bit, and zeros stay zeros") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& gpu = device->innermost();
  for (const LineCase& c : line_cases()) {
    INFO(c.name);
    const Lines lines = lines_for(c, 60'000);
    const auto x = random_values(c.grid.voxels(), 5), y = random_values(60'000, 6);
    const auto a = gpu.make_listmode(c.grid, lines.list(), c.options),
               b = gpu.make_listmode(c.grid, lines.list(), c.options);
    CHECK(project(gpu, *a, x) == project(gpu, *b, x));
    const auto first = backproject(gpu, *a, y);
    for (int run = 0; run < 3; ++run) CHECK(backproject(gpu, run == 0 ? *b : *a, y) == first);
    const std::vector<float> nothing(60'000), black(x.size());
    CHECK(backproject(gpu, *a, nothing) == black);
    CHECK(project(gpu, *a, black) == nothing);
  }
}

TEST_CASE("CUDA's list-mode image is the CPU's after three iterations, bit for bit the same at every run") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& gpu = device->innermost();
  RingLayout layout;
  layout.modules = 24;
  layout.module_crystals = 6;
  layout.module_rings = 11;
  layout.face_radius_mm = 150;
  layout.pitch_mm = 6;
  layout.ring_spacing_mm = 6;
  layout.layers_mm = {10};
  const Scanner scanner = make_ring_scanner("ring", layout, {50, 1e9}, "test");
  // Events along all directions through two balls.
  EventList events;
  std::mt19937 engine(3);
  std::normal_distribution<double> gauss;
  while (events.crystal1.size() < 30'000) {
    const Vec3 way = glm::normalize(Vec3(gauss(engine), gauss(engine), 0.15 * gauss(engine)));
    const Vec3 center = events.crystal1.size() % 3 == 0 ? Vec3(-40, 20, 6) : Vec3(30, -25, -5);
    const Vec3 from = center + 9.0 * Vec3(gauss(engine), gauss(engine), gauss(engine));
    const auto one = layout.hit(from, way), other = layout.hit(from, -way);
    if (one.crystal < 0 || other.crystal < 0) continue;
    events.crystal1.push_back(static_cast<std::uint32_t>(one.crystal));
    events.crystal2.push_back(static_cast<std::uint32_t>(other.crystal));
    events.dt_ps.push_back(
        static_cast<float>(((one.distance - other.distance) / 2 + 25 * gauss(engine)) / half_c_mm_per_ps));
  }
  const VolumeGrid grid{{51, 49, 11}, Vec3(5, 5, 6), Vec3(0)};
  for (const bool tof : {false, true})
    for (const std::int64_t subsets : {1, 3})
      for (const char* image : {"voxels", "blobs"}) {
        INFO("tof " << tof << " subsets " << subsets << " " << image);
        PetOptions options;
        options.subsets = subsets;
        options.image = image;
        options.sensitivity_pairs = 60'000;
        ListModeInfo info;
        info.tof_fwhm_ps = tof ? 393 : 0;
        const auto run = [&](Backend& backend) {
          PetProblem problem(backend, std::make_shared<MemoryListMode>(info, events), scanner, grid, options, nullptr);
          const auto em = problem.reconstruction();
          while (em->step() != Reconstruction::Status::finished) continue;
          const Volume v = em->download();
          return std::vector<float>(v.values.begin(), v.values.end());
        };
        CpuBackend cpu(BackendOptions{});
        const auto one = run(gpu), again = run(gpu);
        CHECK(one == again);
        CHECK(relative_l2(one, run(cpu)) < 1e-3);
      }
}
