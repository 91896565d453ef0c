// Delay until a changed parameter is visible: run it manually, on a graphics card (test_viewer "[speed]").
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include "model/engine/backends.hpp"
#include "model/engine/live_fdk.hpp"
#include "model/values/statistics.hpp"
#include "render/gl/finisher.hpp"
#include "render/gl/volume_renderer.hpp"
#include "viewer/viewer_support.hpp"
#if defined(BACKLIT_HAVE_CUDA)
#include <backlit/cuda.hpp>
#endif

using namespace backlit;
using namespace backlit::viewer;

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

/// cone512, or the size given by the environment.
Scan bench_scan(std::int64_t n) {
  Scan scan;
  const double pixel = 512.0 / static_cast<double>(n);
  scan.detector = {.columns = n, .rows = n, .pixel_u = pixel, .pixel_v = pixel};
  scan.views = circular_views(scan.detector, equal_angles(360), 1000, 1500);
  return scan;
}

VolumeGrid bench_grid(std::int64_t n) { return {{n, n, n}, Vec3(256.0 / static_cast<double>(n)), Vec3(0)}; }

Projections noise(const Scan& scan) {
  Projections p(scan);
  std::uint32_t state = 1;
  for (float& v : p.values) v = static_cast<float>(state = state * 1664525u + 1013904223u) * 1e-9f;
  return p;
}

std::int64_t bench_size() {
  const char* text = std::getenv("BACKLIT_SPEED_SIZE");
  return text ? std::atoll(text) : 64;
}

/// Saves a scan of n columns as case.scan.toml.
void save_case(const test::Scratch& folder, std::int64_t n) {
  const Scan scan = bench_scan(n);
  save_projections(noise(scan), folder / "views.npy");
  save_scan(scan, {.projections = "views.npy", .volume = bench_grid(n)}, folder / "case.scan.toml");
}

std::vector<std::string> backends() {
#if defined(BACKLIT_HAVE_CUDA)
  register_cuda_backend();
#endif
  auto names = backend_names();
  std::erase(names, "cpu");
  return names;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Work>
void stage(const char* name, Backend& backend, Work&& work) {
  std::vector<double> times;
  for (int i = 0; i < 8; ++i) {
    const auto start = Clock::now();
    work();
    backend.finish();
    times.push_back(milliseconds(start));
  }
  const double first = times.front();
  times.erase(times.begin());
  fmt::print("  {:<28} {:9.3f} ms   first {:9.3f} ms\n", name, median(times), first);
}

}  // namespace

TEST_CASE("Speed of the stages of a changed parameter", "[.speed]") {
  const std::int64_t n = bench_size();
  const auto context = gl::Context::create();
  const Scan scan = bench_scan(n);
  const VolumeGrid grid = bench_grid(n);
  const auto source = std::make_shared<MemorySource>(noise(scan));
  for (const std::string& name : backends()) {
    std::unique_ptr<Backend> backend;
    try {
      backend = make_viewer_backend(name, context, 0);
    } catch (const Failure& failure) {
      fmt::print("{}: {}\n", name, failure.what());
      continue;
    }
    for (const char* precision : {"fast", "half"}) {
      fmt::print("{} {} on {}, {}^3, 360 views\n", name, precision, backend->device(), n);
      MeasuredViews measured(*backend, source);
      stage("read and upload", *backend, [&] { measured.load(0, measured.count()); });
      std::unique_ptr<ProjectionFilter> filter;
      stage("plan filter", *backend, [&] { filter = backend->make_filter(scan, {}); });
      CtOptions ct;
      ct.weighting = Weighting::fdk;
      ct.precision = precision_from(precision);
      std::unique_ptr<LinearOperator> project;
      stage("plan backprojection", *backend, [&] {
        project.reset();
        project = backend->make_ct(grid, filter->scan(), ct);
      });
      ArrayPtr filtered, volume;
      stage("make arrays", *backend, [&] {
        filtered.reset();
        volume.reset();
        filtered = project->make_range(360);
        volume = project->make_domain();
      });
      stage("filter", *backend, [&] { filter->run_on_device(0, measured.all(), *filtered); });
      stage("backproject", *backend, [&] { project->back(*filtered, *volume, project->all(), Write::overwrite); });
      fmt::print("  {}\n", project->variant());
      for (const GLenum format : {GL_R32F, GL_R16F}) {
        gl::GlDisplayVolume display(context, format);
        stage(format == GL_R32F ? "publish fp32" : "publish fp16", *backend, [&] {
          display.publish(*volume, grid);
          glFinish();
        });
        gl::VolumeRenderer renderer(context);
        const auto rays = camera_rays(Turntable{}, grid, 1024, 1024);
        const TransferFunction look = load_transfer_function("bone");
        const Classifier classifier(look, {{0, 0.03}, 0.02, 256});
        stage("render 1024^2 dvr", *backend, [&] {
          renderer.render(display.front(), rays, {}, classifier);
          glFinish();
        });
      }
    }
  }
}

TEST_CASE("Speed of a slider: full reconstructions seen a second", "[.speed]") {
  const std::int64_t n = bench_size();
  const test::Scratch folder;
  save_case(folder, n);
  for (const std::string& name : backends())
    for (const char* precision : {"fast", "half"}) {
      test::Windowless w(0.15);
      w.act("set backend " + name);
      w.act(std::string("set precision ") + precision);
      w.act("open " + (folder / "case.scan.toml").string());
      REQUIRE(w.settle(300));
      w.act("reconstruct");
      REQUIRE(w.settle(300));
      if (!w.model.status().errors.empty()) {
        fmt::print("{}: {}\n", name, w.model.status().errors.back());
        continue;
      }
      gl::VolumeRenderer renderer(w.window);
      const Classifier classifier(load_transfer_function("bone"), {{0, 0.03}, 0.02, 256});
      const auto rays = camera_rays(Turntable{}, w.model.status().grid, 1024, 1024);
      for (const bool paced : {true, false}) {
        const Status& status = w.model.status();
        const std::int64_t runs = status.runs;
        const StageSeconds stages = status.stages;
        std::int64_t frames = 0, seen = 0, generation = 0;
        std::vector<double> frame_ms;
        const auto start = Clock::now();
        while (milliseconds(start) < 4000) {
          ViewState next = w.model.state();
          next.geometry.center_shift = 0.5 * std::sin(1e-3 * milliseconds(start));
          w.model.edit(next, "slider");
          w.model.update();
          const auto begun = Clock::now();
          const auto front = w.model.begin_frame();
          renderer.render(front, rays, {}, classifier);
          w.model.end_frame();
          glFinish();
          frame_ms.push_back(milliseconds(begun));
          ++frames;
          seen += front.generation != generation;
          generation = front.generation;
          if (paced) std::this_thread::sleep_until(start + frames * std::chrono::microseconds(16667));
        }
        const double seconds = 1e-3 * milliseconds(start);
        fmt::print(
            "{} {}, {} frames: {:.1f} frames/s of {:.1f} ms, {:.1f} whole reconstructions/s, {:.1f} of them seen/s\n",
            name, precision, paced ? "60 Hz of" : "as many as can be", static_cast<double>(frames) / seconds,
            median(frame_ms), static_cast<double>(status.runs - runs) / seconds, static_cast<double>(seen) / seconds);
        fmt::print("  {}\n  each, in ms: {}\n", status.started.variant,
                   stage_times(stages, status.stages, seconds, status.runs - runs));
      }
    }
}

TEST_CASE("Speed of cancelling: from the order until nothing runs", "[.speed]") {
  const std::int64_t n = bench_size();
  const test::Scratch folder;
  save_case(folder, n);
  for (const std::string& name : backends())
    for (const char* method : {"fdk", "sirt", "ossart", "cgls"}) {
      test::Windowless w(0.15);
      w.act("set backend " + name);
      w.act("open " + (folder / "case.scan.toml").string());
      REQUIRE(w.settle(300));
      w.act(std::string("method ") + method);
      if (!w.model.status().errors.empty()) {
        fmt::print("{}: {}\n", name, w.model.status().errors.back());
        break;
      }
      std::vector<double> times;
      for (int i = 0; i < 8; ++i) {
        w.act("reconstruct");
        const auto begun = Clock::now();
        w.until([&] { return milliseconds(begun) > 37 * (i + 1); });
        if (!w.model.status().running) continue;
        const auto start = Clock::now();
        w.act("cancel");
        REQUIRE(w.settle(60));
        times.push_back(milliseconds(start));
      }
      if (!times.empty())
        fmt::print("{} {}: cancelled within {:.0f} ms (median), {:.0f} ms (most of {})\n", name, method, median(times),
                   *std::max_element(times.begin(), times.end()), times.size());
    }
}
