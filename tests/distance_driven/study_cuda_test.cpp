// Tables for docs/notebook/distance-driven-projection.md, by name only: test_cuda "Study of distance-driven *".
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <backlit/geometry/trajectory.hpp>
#include "cuda/device/cuda_backend.hpp"
#include "cuda/device/layered_textures.hpp"
#include "study/cuda/probes.hpp"
#include "support/cuda.hpp"
#include "support/projectors/one_view_back.hpp"

using namespace backlit;

namespace {

struct Variant {
  const char* label;
  CtOptions options;
};

std::vector<Variant> variants() {
  const auto of = [](Precision precision, const char* name) {
    return CtOptions{.model = Model::branchless_dd, .precision = precision, .variant = name};
  };
  return {{"bs", {.model = Model::distance_driven}},
          {"bc", of(Precision::exact, "bc")},
          {"bl", of(Precision::fast, "bl")},
          {"bl,plain", of(Precision::fast, "bl,plain")},
          {"bz", of(Precision::fast, "bz")},
          {"bl in software", of(Precision::exact, "bl")},
          {"bl,plain in software", of(Precision::exact, "bl,plain")},
          {"bl,compensated in software", of(Precision::exact, "bl,compensated")},
          {"bl,plain,compensated in software", of(Precision::exact, "bl,plain,compensated")}};
}

const CtOptions reference{.model = Model::branchless_dd, .precision = Precision::exact, .variant = "db"};

void tabulate(Backend& backend, const char* name, const VolumeGrid& grid, const Scan& scan, bool forward,
              std::span<const float> input) {
  const auto expected = test::apply_ct(backend, grid, scan, reference, forward, input);
  for (const Variant& v : variants()) {
    const test::Errors e = test::errors_of(test::apply_ct(backend, grid, scan, v.options, forward, input), expected);
    std::printf("%-34s %-8s %-32s %10.3g %10.3g rmse %.3g\n", name, forward ? "forward" : "back", v.label, e.normalised,
                e.relative, e.rmse);
  }
  std::fflush(stdout);
}

Scan only(const Scan& scan, std::size_t first, std::size_t count) {
  return {scan.detector,
          {scan.views.begin() + static_cast<std::ptrdiff_t>(first),
           scan.views.begin() + static_cast<std::ptrdiff_t>(first + count)}};
}

/// Seconds of so many runs after the first, ascending.
std::vector<double> seconds_of(Backend& backend, LinearOperator& a, DeviceArray& x, DeviceArray& y, bool forward,
                               int runs = 3) {
  std::vector<double> seconds;
  for (int run = 0; run <= runs; ++run) {
    backend.finish();
    const auto start = std::chrono::steady_clock::now();
    forward ? a.forward(x, y, a.all(), Write::overwrite) : a.back(y, x, a.all(), Write::overwrite);
    backend.finish();
    if (run > 0) seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(seconds);
  return seconds;
}

/// Seconds to the device and back from it, from and to memory that the driver does not know.
std::pair<double, double> transfers(Backend& backend, DeviceArray& x) {
  std::vector<float> values(static_cast<std::size_t>(x.count()), 1.0f);
  double up = 1e9, down = 1e9;
  for (int run = 0; run < 3; ++run)
    for (const bool there : {true, false}) {
      backend.finish();
      const auto start = std::chrono::steady_clock::now();
      there ? backend.upload(values, x) : backend.download(x, values);
      backend.finish();
      double& best = there ? up : down;
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  return {up, down};
}

/// Seconds of kernels and of the tables that they read, of the first device.
void report_parts(Backend& backend, const char* label, std::size_t devices, LinearOperator& a, DeviceArray& x,
                  DeviceArray& y) {
  for (const bool forward : {true, false}) {
    const double seconds = seconds_of(backend, a, x, y, forward).front();
    backend.time_passes(true);
    forward ? a.forward(x, y, a.all(), Write::overwrite) : a.back(y, x, a.all(), Write::overwrite);
    double kernels = 0, tables = 0;
    for (const auto& [name, time] : backend.pass_times())
      (name.starts_with("sum") || name.starts_with("find") || name.starts_with("turn") ? tables : kernels) +=
          time.seconds;
    backend.time_passes(false);
    std::printf("%d views %-32s %d devices %-8s total %8.2f ms, of the first: kernels %8.2f ms, tables %7.2f ms\n",
                static_cast<int>(a.range().n2), label, static_cast<int>(devices), forward ? "forward" : "back",
                1e3 * seconds, 1e3 * kernels, 1e3 * tables);
    std::fflush(stdout);
  }
}

/// Best times; with `runs` also medians with the least and the most.
void time(Backend& backend, const char* name, const VolumeGrid& grid, const Scan& scan, int runs = 0) {
  for (const Variant& v : variants()) {
    const std::string label = v.label;
    if (label.find("software") != std::string::npos || label == "bl,plain") continue;
    if (label == "bs" && (runs > 0 || grid.voxels() > (std::int64_t{1} << 24) || scan.view_count() > 1000)) continue;
    const auto a = backend.make_ct(grid, scan, v.options);
    const ArrayPtr x = a->make_domain(), y = a->make_range(scan.view_count());
    backend.fill(*x, 1);
    backend.fill(*y, 1);
    const double updates = double(grid.voxels()) * double(scan.view_count()) / 1e9;
    const auto there = seconds_of(backend, *a, *x, *y, true, std::max(runs, 3)),
               back = seconds_of(backend, *a, *x, *y, false, std::max(runs, 3));
    std::printf("%-34s %-8s %9.2f ms %7.1f GUPS   back %9.2f ms %7.1f GUPS", name, v.label, 1e3 * there[0],
                updates / there[0], 1e3 * back[0], updates / back[0]);
    if (runs > 0)
      for (const auto* s : {&there, &back})
        std::printf("   median %.1f (%.1f to %.1f)", updates / (*s)[s->size() / 2], updates / s->back(),
                    updates / s->front());
    std::printf("\n");
    std::fflush(stdout);
  }
}

}  // namespace

namespace {

/// What a texture's filter makes of four texels of which one is 1, `steps` places along each side.
std::vector<double> filter_weights(cuda::Stream& stream, int steps, std::int64_t one) {
  cuda::LayeredTextures texture(2, 2, 1, cuda::Texel::r32f);
  float texels[4] = {};
  texels[one] = 1;
  cuda::DeviceBuffer<float> source(4), weights(std::int64_t{steps} * steps);
  BACKLIT_CUDA(cudaMemcpyAsync(source.data(), texels, sizeof(texels), cudaMemcpyHostToDevice, stream));
  texture.fill(stream, {source.data(), 2, 4, nullptr}, 0, 1);
  cuda::probe_filter(stream, texture.texture(0), steps, weights.data());
  std::vector<float> found(static_cast<std::size_t>(weights.count()));
  BACKLIT_CUDA(cudaMemcpyAsync(found.data(), weights.data(), weights.bytes(), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  return {found.begin(), found.end()};
}

/// The scanner's, with so many rows and views, and without the quarter of a cell.
Scan scan_of(const BenchCase& ct, std::int64_t rows, std::int64_t views) {
  Detector d = ct.scan.detector;
  d.rows = rows;
  return {d, circular_views(d, equal_angles(views), 541, 949)};
}

}  // namespace

TEST_CASE("Study of distance-driven precision", "[.study]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const BenchCase ct = bench_case("ct750");
  const Volume head = voxelize(load_phantom("forbild-head"), ct.grid, 1);
  const std::vector<float> ones(static_cast<std::size_t>(ct.grid.voxels()), 1.0f);
  std::printf("%-34s %-8s %-32s %10s %10s\n", "case", "", "variant", "max/max", "rel. L2");
  tabulate(*backend, "ones, 0 degrees", ct.grid, only(ct.scan, 0, 1), true, ones);
  tabulate(*backend, "ones, 45 degrees", ct.grid, only(ct.scan, 123, 1), true, ones);
  tabulate(*backend, "head, 1 view", ct.grid, only(ct.scan, 100, 1), true, head.values.span());
  tabulate(*backend, "head, 984 views", ct.grid, ct.scan, true, head.values.span());
  const auto views = test::apply_ct(*backend, ct.grid, ct.scan, reference, true, head.values.span());
  const auto pixels = static_cast<std::size_t>(ct.scan.detector.pixels());
  tabulate(*backend, "head, 1 view", ct.grid, only(ct.scan, 100, 1), false,
           std::span(views).subspan(100 * pixels, pixels));
  tabulate(*backend, "head, 984 views", ct.grid, ct.scan, false, views);
  const Detector d{41, 5, 1.41, 0.71};
  const VolumeGrid bar{{25, 1, 1}, Vec3(1), Vec3(0)};
  const std::vector<float> full(25, 1.0f);
  for (const double angle : {30.0, 45.0, 179.5}) {
    const std::string name = "25 x 1 bar, " + std::to_string(angle).substr(0, 5) + " degrees";
    tabulate(*backend, name.c_str(), bar, {d, parallel_views(d, {angle})}, true, full);
  }
  CHECK(views.size() == 984 * pixels);
}

/// Liu et al. give root mean squares of differences from their CPU's program: the same against ours, in double
/// precision, of every 41st of 984 views forward and of four slices of 984 views back.
TEST_CASE("Study of distance-driven r.m.s. errors", "[.study]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto cpu = make_backend("cpu");
  const BenchCase ct = bench_case("ct750");
  const Volume head = voxelize(load_phantom("forbild-head"), ct.grid, 1);
  const double most = double{*std::ranges::max_element(head.values)};
  const CtOptions walking{.model = Model::distance_driven};
  const auto tell = [&](const char* what, const VolumeGrid& grid, const Scan& scan, bool forward,
                        std::span<const float> input) {
    const auto expected = test::apply_ct(*cpu, grid, scan, walking, forward, input);
    auto all = variants();
    all.push_back({"db", reference});
    for (const Variant& v : all) {
      const test::Errors e = test::errors_of(test::apply_ct(*backend, grid, scan, v.options, forward, input), expected);
      std::printf("%-40s %-22s rmse %.3g %s, %.3g where the phantom's maximum is 1; max/max %.3g, rel. L2 %.3g\n", what,
                  v.label, e.rmse, forward ? "(line integrals)" : "mm", e.rmse / most, e.normalised, e.relative);
    }
    std::fflush(stdout);
    return expected.size();
  };
  Scan some{ct.scan.detector, {}};
  for (std::size_t i = 0; i < ct.scan.views.size(); i += 41) some.views.push_back(ct.scan.views[i]);
  CHECK(tell("forward, every 41st view", ct.grid, some, true, head.values.span()) > 0);
  VolumeGrid middle = ct.grid;
  middle.size[2] = 4;
  const auto views = test::apply_ct(*backend, ct.grid, ct.scan, reference, true, head.values.span());
  CHECK(tell("back, 984 views, slices 30 to 33", middle, ct.scan, false, views) > 0);
}

TEST_CASE("Study of distance-driven depths", "[.study]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const BenchCase ct = bench_case("ct750");
  for (const std::int64_t nz : {64, 96, 128, 192, 256, 480}) {
    VolumeGrid grid = ct.grid;
    grid.size[2] = nz;
    time(*backend, ("depth " + std::to_string(nz)).c_str(), grid, scan_of(ct, nz, 246), 7);
  }
  CHECK(ct.scan.view_count() == 984);
}

TEST_CASE("Study of distance-driven speed", "[.study]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const BenchCase ct = bench_case("ct750");
  for (const std::int64_t n : {256, 384, 512, 768, 1024, 1408}) {
    VolumeGrid grid = ct.grid;
    grid.size[0] = grid.size[1] = n;
    grid.spacing.x = grid.spacing.y = 500.0 / double(n);
    time(*backend, ("size " + std::to_string(n)).c_str(), grid, scan_of(ct, 64, 246));
  }
  for (const std::int64_t views : {100, 492, 984, 2200, 3936, 11000})
    time(*backend, ("views " + std::to_string(views)).c_str(), ct.grid, scan_of(ct, 64, views));
  CHECK(ct.scan.view_count() == 984);
}

TEST_CASE("Study of distance-driven kernels and tables", "[.study]") {
  BACKLIT_REQUIRE_CUDA(backend);
  const BenchCase ct = bench_case("ct750");
  auto all = variants();
  all.push_back({"bz in software", {.model = Model::branchless_dd, .precision = Precision::exact, .variant = "bz"}});
  for (const char* way : {"bz,shared", "bz,shuffles"})
    all.push_back({way, {.model = Model::branchless_dd, .variant = way}});
  all.push_back({"bz,compensated in software", {.model = Model::branchless_dd, .variant = "bz,compensated"}});
  all.push_back({"db", reference});
  for (const Variant& v : all) {
    const auto a = backend->make_ct(ct.grid, ct.scan, v.options);
    const ArrayPtr x = a->make_domain(), y = a->make_range(ct.scan.view_count());
    backend->fill(*x, 1);
    backend->fill(*y, 1);
    report_parts(*backend, v.label, 1, *a, *x, *y);
  }
  CHECK(all.size() > 10);
}

TEST_CASE("Study of distance-driven pairs on several devices", "[.study]") {
  BACKLIT_REQUIRE_CUDA(single);
  const BenchCase ct = bench_case("ct750");
  std::vector<std::unique_ptr<Backend>> groups;
  groups.push_back(make_backend("cuda"));
  BackendOptions options;
  for (std::int64_t device = 1; device < 8; ++device) try {
      options.further_devices.push_back(device);
      groups.push_back(make_backend("cuda", options));
    } catch (const InputError&) {  // not so many
      break;
    }
  for (const std::int64_t views : {984, 1968, 3936}) {
    const Scan scan{ct.scan.detector, circular_views(ct.scan.detector, equal_angles(views), 541, 949)};
    for (const Variant& v : variants()) {
      const std::string label = v.label;
      if (label != "bc" && label != "bz" && label != "bl") continue;
      for (std::size_t n = 0; n < groups.size(); ++n) {
        Backend& backend = *groups[n];
        backend.activate();
        const auto a = backend.make_ct(ct.grid, scan, v.options);
        const ArrayPtr x = a->make_domain(), y = a->make_range(views);
        backend.fill(*x, 1);
        backend.fill(*y, 1);
        if (n == 0 && label == "bc") {
          const auto volume = transfers(backend, *x), projections = transfers(backend, *y);
          std::printf("%d views, ms up and down: volume %.1f, %.1f, projections %.1f, %.1f\n", static_cast<int>(views),
                      1e3 * volume.first, 1e3 * volume.second, 1e3 * projections.first, 1e3 * projections.second);
        }
        report_parts(backend, v.label, n + 1, *a, *x, *y);
      }
    }
  }
  CHECK(groups.size() >= 1);
}

/// Why tables of summed areas hold no more than they must: how the four weights of a bilinear lookup are rounded.
TEST_CASE("Study of a texture's weights", "[.study]") {
  BACKLIT_REQUIRE_CUDA(backend);
  cuda::Stream& stream = dynamic_cast<cuda::CudaBackend&>(backend->innermost()).stream();
  constexpr int steps = 256, fine = 2048;
  const auto along = filter_weights(stream, fine, 1);
  double off = 0, bias = 0;
  for (int x = 0; x < fine; ++x) {  // y = 0
    const double error = along[static_cast<std::size_t>(x)] - double(x) / fine;
    off = std::max(off, std::abs(error));
    bias += error / fine;
  }
  std::printf("along a side: off by %.3g/256 at most, by %.3g/256 on average\n", 256 * off, 256 * bias);
  std::vector<double> total(std::size_t{steps} * steps, 0.0);
  for (const int one : {0, 1, 2, 3}) {
    const auto weights = filter_weights(stream, steps, one);
    double worst = 0, square = 0, sum = 0;
    int bits = 0;  // that tell all weights apart
    for (int y = 0; y < steps; ++y)
      for (int x = 0; x < steps; ++x) {
        const auto i = static_cast<std::size_t>(y * steps + x);
        const double a = double(x) / steps, b = double(y) / steps;
        const double error = weights[i] - (one % 2 ? a : 1 - a) * (one / 2 ? b : 1 - b);
        worst = std::max(worst, std::abs(error));
        square += error * error;
        sum += error;
        total[i] += weights[i];
        while (bits < 24 && std::ldexp(weights[i], bits) != std::floor(std::ldexp(weights[i], bits))) ++bits;
      }
    std::printf("weight %d: %d bits, off by %.3g/256 at most, r.m.s. %.3g/256, on average %.3g/256\n", one, bits,
                256 * worst, 256 * std::sqrt(square) / steps, 256 * sum / (steps * steps));
  }
  double all = 0;
  for (const double t : total) all = std::max(all, std::abs(t - 1));
  std::printf("the four together: 1 within %.3g\n", all);
  CHECK(all < 1e-2);
}
