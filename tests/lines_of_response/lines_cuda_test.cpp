// Lines of response on CUDA against the CPU's in double precision.
#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

#include <backlit/pet/reconstruction.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "support/cuda.hpp"
#include "support/projectors/line_cases.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using namespace backlit::test;

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

TEST_CASE("Gaussian tubes by table are those by exponentials") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& gpu = device->innermost();
  LineCase c = line_cases()[2];
  const Lines lines = lines_for(c, 4000);
  const auto x = random_values(c.grid.voxels(), 1);
  const auto one = project(gpu, *gpu.make_listmode(c.grid, lines.list(), c.options), x);
  c.options.variant = "table";
  CHECK(relative_l2(project(gpu, *gpu.make_listmode(c.grid, lines.list(), c.options), x), one) < 1e-4);
  c.options.variant = "texture";
  CHECK_THROWS_WITH(gpu.make_listmode(c.grid, lines.list(), c.options),
                    Catch::Matchers::Contains("'texture' is not offered; choose of blocks1, ") &&
                        Catch::Matchers::Contains(", by_taps, ") &&
                        Catch::Matchers::Contains(", voxel_driven, warp, joined by +"));
  c.options.variant = "looped+half";
  CHECK_THROWS_WITH(gpu.make_listmode(c.grid, lines.list(), c.options),
                    Catch::Matchers::Contains("'looped+half' asks for several kernels at once"));
}

TEST_CASE("Lines' variants for studies compute what the default computes") {
  BACKLIT_REQUIRE_CUDA(device);
  Backend& gpu = device->innermost();
  for (const std::size_t number : {2, 3}) {
    LineCase c = line_cases()[number];
    const Lines lines = lines_for(c, 6000);
    const auto x = random_values(c.grid.voxels(), 1), y = random_values(6000, 2);
    const auto a = gpu.make_listmode(c.grid, lines.list(), c.options);
    const auto forward = project(gpu, *a, x), back = backproject(gpu, *a, y);
    for (const char* variant : {"looped", "precise", "half", "warp", "global", "voxel_driven", "unsorted", "by_taps",
                                "threads256+blocks4", "threads1024+blocks1", "unsorted+looped+pieces8"}) {
      INFO(c.name << " " << variant);
      c.options.variant = variant;
      const auto b = gpu.make_listmode(c.grid, lines.list(), c.options);
      CHECK(relative_l2(project(gpu, *b, x), forward) < 1e-3);
      CHECK(relative_l2(backproject(gpu, *b, y), back) < 1e-3);
    }
    c.options.variant = "racy";  // what threads that collide add is lost, never more
    const auto b = gpu.make_listmode(c.grid, lines.list(), c.options);
    const auto lost = backproject(gpu, *b, y);
    CHECK(std::accumulate(lost.begin(), lost.end(), 0.0) <= std::accumulate(back.begin(), back.end(), 0.0) * 1.0001);
    CHECK(relative_l2(lost, back) < 0.5);
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
      for (const std::string image : {"voxels", "blobs", "smooth"}) {
        INFO("tof " << tof << " subsets " << subsets << " " << image);
        PetOptions options;
        options.subsets = subsets;
        options.image = image == "smooth" ? "voxels" : image;
        options.psf = image == "smooth" ? 8 : 0;
        options.post_filter = image == "smooth" ? 6 : 0;
        options.sensitivity_pairs = 60'000;
        ListModeInfo info;
        info.tof_fwhm_ps = tof ? 393 : 0;
        const auto run = [&](Backend& backend, const char* sums = "auto") {
          options.sums = sums;
          PetProblem problem(backend, std::make_shared<MemoryListMode>(info, events), scanner, grid, options, nullptr);
          const auto em = problem.reconstruction();
          while (em->step() != Reconstruction::Status::finished) continue;
          const Volume v = em->download();
          return std::vector<float>(v.values.begin(), v.values.end());
        };
        CpuBackend cpu(BackendOptions{});
        const auto reference = run(cpu);
        CHECK(relative_l2(run(gpu), reference) < 1e-3);
        const auto repeatable = run(gpu, "fixed");
        CHECK((repeatable == run(gpu, "fixed")));
        CHECK(relative_l2(repeatable, reference) < 1e-3);
      }
}
