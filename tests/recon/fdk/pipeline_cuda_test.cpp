// FDK with all stages overlapped, against the ordinary path and the CPU reference.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/correct_counts.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/cuda.hpp"
#include "support/recon/recon_options.hpp"

using namespace backlit;

namespace pipeline_cuda_test {
namespace {

struct Setup {
  const char* name;
  Scan scan;
  VolumeGrid grid;
};

std::vector<Setup> setups() {
  const Detector d{61, 37, 4.5, 5};
  DetectorPlacement tilt;
  tilt.tilt_u = 4;
  tilt.tilt_n = 3;
  const VolumeGrid even{{26, 26, 37}, {7, 7, 2.5}, {0, 0, 0}}, odd{{25, 25, 17}, {7, 7, 7}, {0, 0, 3}},
      oblong{{27, 23, 33}, {7, 7, 5}, {5, 0, 0}};
  return {{"circular, orbits", {d, circular_views(d, equal_angles(88, 3), 600, 900)}, even},
          {"circular, odd grid", {d, circular_views(d, equal_angles(52), 600, 900)}, odd},
          {"short scan", {d, circular_views(d, equal_angles(61, 0, 216), 600, 900)}, oblong},
          {"tilted", {d, circular_views(d, equal_angles(40), 600, 900, tilt)}, oblong},
          {"parallel", {d, parallel_views(d, equal_angles(28, 0, 180))}, even}};
}

HostArray<float> integrals(const Scan& scan) {
  HostArray<float> values(scan.view_count() * scan.detector.pixels());
  project_phantom(load_phantom("shepp-logan-3d"), scan, 0, scan.view_count(), 1, values.span());
  return values;
}

double relative_l2(std::span<const float> a, std::span<const float> b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    norm += double{a[i]} * a[i];
  }
  return std::sqrt(difference / norm);
}

/// Filter, then one backprojection of everything.
std::vector<float> ordinary(Backend& backend, const Setup& s, const FdkPipelineOptions& o, std::span<const float> p) {
  const auto filter = backend.make_filter(s.scan, o.filter);
  const auto op = backend.make_ct(s.grid, s.scan, o.ct);
  const ArrayPtr views = op->make_range(s.scan.view_count()), volume = op->make_domain();
  filter->run(0, p, *views);
  op->back(*views, *volume, op->all(), Write::overwrite);
  std::vector<float> result(static_cast<std::size_t>(s.grid.voxels()));
  backend.download(*volume, result);
  return result;
}

template <class T>
void give_all(FdkPipeline& pipeline, const T* values, std::int64_t pixels, std::int64_t first = 0) {
  for (std::int64_t n = first; n < static_cast<std::int64_t>(pipeline.batches().size()); ++n) {
    std::vector<const std::byte*> places;
    for (std::int64_t view : pipeline.batches()[static_cast<std::size_t>(n)])
      places.push_back(reinterpret_cast<const std::byte*>(values + view * pixels));
    pipeline.give(n, places);
  }
}

FdkPipelineOptions options_of(Precision precision) {
  FdkPipelineOptions o;
  o.ct.precision = precision;
  o.ct.weighting = Weighting::fdk;
  o.filter.window = FilterWindow::shepp_logan;
  return o;
}

}  // namespace

TEST_CASE("the pipeline gives the ordinary path's volume, however the work is cut") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const Setup& s : setups()) {
    const HostArray<float> p = integrals(s.scan);
    for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
      for (int cut = 0; cut < 3; ++cut) {
        FdkPipelineOptions o = options_of(precision);
        if (cut == 1) o.batches = {5}, o.slabs = {1, 2, 1}, o.filtered_together = 4, o.filter_beside = false;
        if (cut == 2) o.batches = {1000}, o.slabs = {1}, o.filtered_together = 1;
        const auto pipeline = backend->make_fdk_pipeline(s.scan, s.grid, o);
        if (precision == Precision::exact) {  // packed or not at all
          CHECK((pipeline != nullptr) == std::string(s.name).starts_with("circular"));
          if (!pipeline) continue;
          CHECK(pipeline->variant() == "voxel_driven orbit_fine rgba32f, overlapped");
        }
        REQUIRE(pipeline);
        INFO(s.name << ", " << pipeline->variant() << ", cut " << cut);
        const auto expected = ordinary(*backend, s, o, p.span());
        std::vector<float> volume(expected.size(), 1e30f);
        for (int run = 0; run < 2; ++run) {  // a plan runs any number of times
          pipeline->begin(volume);
          give_all(*pipeline, p.data(), s.scan.detector.pixels());
          pipeline->finish();
          // Transforms of other batch sizes may differ in the last bit, which fp16 can round the other way.
          CHECK(relative_l2(expected, volume) < (precision == Precision::half ? 3e-5 : 2e-6));
        }
      }
  }
}

TEST_CASE("the pipeline shows the views so far, and goes on") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  const HostArray<float> p = integrals(s.scan);
  const FdkPipelineOptions o = options_of(Precision::half);
  const auto pipeline = backend->make_fdk_pipeline(s.scan, s.grid, o);
  REQUIRE(pipeline);
  const std::int64_t pixels = s.scan.detector.pixels();
  const auto& batch = pipeline->batches().front();
  const std::span<std::byte> room = pipeline->staging(0);
  REQUIRE(room.size() == batch.size() * static_cast<std::size_t>(pixels) * sizeof(float));
  std::vector<const std::byte*> places;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    std::byte* place = room.data() + i * static_cast<std::size_t>(pixels) * sizeof(float);
    std::memcpy(place, p.data() + batch[i] * pixels, static_cast<std::size_t>(pixels) * sizeof(float));
    places.push_back(place);
  }
  std::vector<float> all(static_cast<std::size_t>(s.grid.voxels()));
  pipeline->begin(all);
  pipeline->give(0, places);
  // The same views, filtered with the whole scan's weights and backprojected in their order.
  std::vector<float> early(all.size()), expected(all.size());
  REQUIRE(pipeline->volume());
  backend->download(*pipeline->volume(), early);
  pipeline->finish();
  CHECK(relative_l2(early, all) == 0);
  {
    const auto op = backend->make_ct(s.grid, s.scan, o.ct);
    const auto filter = backend->make_filter(s.scan, o.filter);
    const ArrayPtr one = op->make_range(1), volume = op->make_domain();
    for (std::int64_t view : batch) {
      filter->run(view, p.span().subspan(static_cast<std::size_t>(view * pixels), static_cast<std::size_t>(pixels)),
                  *one);
      op->back(*one, *volume, {view, 1, 1}, Write::accumulate);
    }
    backend->download(*volume, expected);
  }
  CHECK(relative_l2(expected, early) < 1e-3);
  give_all(*pipeline, p.data(), pixels, 1);
  pipeline->finish();
  CHECK(relative_l2(ordinary(*backend, s, o, p.span()), all) < 3e-5);
}

TEST_CASE("counts corrected on the device are those corrected on the host") {
  BACKLIT_REQUIRE_CUDA(backend);
  for (const Setup& s : {setups()[0], setups()[2]}) {
    const std::int64_t pixels = s.scan.detector.pixels(), views = s.scan.view_count();
    const HostArray<float> p = integrals(s.scan);
    std::vector<std::uint16_t> counts(static_cast<std::size_t>(p.size()));
    Projections host(s.scan), flat({s.scan.detector, {s.scan.views[0]}}), dark({s.scan.detector, {s.scan.views[0]}});
    for (std::int64_t i = 0; i < pixels; ++i) {
      dark.values[i] = static_cast<float>(90 + i % 7);
      flat.values[i] = static_cast<float>(50000 + 17 * (i % 101));
    }
    const std::int64_t dead = 5 * 61 + 7;
    flat.values[dead] = dark.values[dead];
    for (std::int64_t i = 0; i < p.size(); ++i) {
      const std::int64_t pixel = i % pixels;
      const double open = static_cast<double>(flat.values[pixel]) - static_cast<double>(dark.values[pixel]);
      const double reading =
          open * std::exp(-0.01 * static_cast<double>(p[i])) + static_cast<double>(dark.values[pixel]);
      counts[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(std::lround(reading));
    }
    const std::int64_t dim = 3 * pixels + 9 * 61 + 60, corner = 11 * pixels;  // readings below dark
    counts[static_cast<std::size_t>(dim)] = 3;
    counts[static_cast<std::size_t>(corner)] = 0;
    for (std::int64_t i = 0; i < p.size(); ++i)
      host.values[i] = static_cast<float>(counts[static_cast<std::size_t>(i)]);

    CountScale scale;
    for (std::int64_t i = 0; i < pixels; ++i) {
      scale.dark.push_back(dark.values[i]);
      scale.open.push_back(flat.values[i] - dark.values[i]);
    }
    const auto report = std::make_shared<CorrectionReport>();
    const auto corrected =
        correct_counts(std::make_shared<MemorySource>(std::move(host)), std::make_shared<MemorySource>(std::move(flat)),
                       std::make_shared<MemorySource>(std::move(dark)), report);
    std::vector<float> line_integrals(static_cast<std::size_t>(p.size()));
    corrected->read(0, views, line_integrals);

    for (const Precision precision : {Precision::fast, Precision::half}) {
      FdkPipelineOptions o = options_of(precision);
      o.counts = &scale;
      const auto pipeline = backend->make_fdk_pipeline(s.scan, s.grid, o);
      REQUIRE(pipeline);
      std::vector<float> volume(static_cast<std::size_t>(s.grid.voxels()));
      pipeline->begin(volume);
      give_all(*pipeline, counts.data(), pixels);
      pipeline->finish();
      INFO(s.name << ", " << pipeline->variant());
      CHECK(relative_l2(ordinary(*backend, s, o, line_integrals), volume) <
            (precision == Precision::half ? 5e-5 : 5e-6));
      const auto faults = pipeline->faults();
      CHECK(faults.unfilled == 0);
      std::int64_t replaced = 0;
      for (std::int64_t n : faults.replaced) replaced += n;
      CHECK(replaced == report->non_positive_values);
      CHECK(replaced == 2);
      CHECK(faults.replaced[3] == 1);

      // A hole that no neighbour fills is told.
      std::vector<std::uint16_t> hole = counts;
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) hole[static_cast<std::size_t>(2 * pixels + (20 + y) * 61 + 30 + x)] = 0;
      pipeline->begin(volume);
      give_all(*pipeline, hole.data(), pixels);
      pipeline->finish();
      CHECK(pipeline->faults().unfilled == 1);
    }
  }
}

namespace {

/// Counts in memory, as floats and as they are.
class CountsInMemory final : public ProjectionSource {
 public:
  CountsInMemory(Scan scan, std::vector<std::uint16_t> counts) : scan_(std::move(scan)), counts_(std::move(counts)) {}
  const Scan& scan() const override { return scan_; }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    std::copy_n(counts_.begin() + first * scan_.detector.pixels(), count * scan_.detector.pixels(), out.begin());
  }
  bool read_counts(std::int64_t first, std::int64_t count, std::span<std::uint16_t> out) override {
    std::copy_n(counts_.begin() + first * scan_.detector.pixels(), count * scan_.detector.pixels(), out.begin());
    read_as_they_are += count;
    return true;
  }
  std::int64_t read_as_they_are = 0;

 private:
  Scan scan_;
  std::vector<std::uint16_t> counts_;
};

}  // namespace

TEST_CASE("recon hands 16-bit counts to the device as they are") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  const std::int64_t pixels = s.scan.detector.pixels(), views = s.scan.view_count();
  const HostArray<float> p = integrals(s.scan);
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(p.size()));
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<std::uint16_t>(std::lround(50000 * std::exp(-0.2f * p[static_cast<std::int64_t>(i)])));
  counts[static_cast<std::size_t>(7 * pixels + 20)] = 0;
  for (const bool hole : {false, true}) {
    if (hole)  // wider than what a device looks at: the host corrects the scan after all
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) counts[static_cast<std::size_t>(2 * pixels + (20 + y) * 61 + 30 + x)] = 0;
    Projections flat({s.scan.detector, {View{}}});
    std::fill(flat.values.begin(), flat.values.end(), 50000.0f);
    const auto flats = std::make_shared<MemorySource>(std::move(flat));
    const auto raw = std::make_shared<CountsInMemory>(s.scan, counts);
    const auto by_host = std::make_shared<CorrectionReport>(), by_device = std::make_shared<CorrectionReport>();
    std::vector<float> line_integrals(counts.size());
    correct_counts(raw, flats, nullptr, by_host)->read(0, views, line_integrals);
    CHECK(by_host->non_positive_values == (hole ? 17 : 1));
    const auto source = correct_counts(raw, flats, nullptr, by_device);
    REQUIRE(source->count_scale());

    ReconOptions options;
    options.precision = "fast";
    const auto recon = make_reconstruction(*backend, source, s.grid, options);
    CHECK(recon->variant().find("counts corrected on the device") != std::string::npos);
    while (recon->step() != Reconstruction::Status::finished) {
    }
    CHECK(raw->read_as_they_are == views);
    CHECK((recon->variant().find("counts corrected on the device") == std::string::npos) == hole);
    const Volume volume = recon->download();
    FdkPipelineOptions o = options_of(Precision::fast);
    o.filter = options.filter;
    CHECK(relative_l2(ordinary(*backend, s, o, line_integrals), volume.values.span()) < 5e-6);
    CHECK(by_device->non_positive_values == by_host->non_positive_values);
  }
}

TEST_CASE("the pipeline's timeline holds every batch and slab, in order") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  const HostArray<float> p = integrals(s.scan);
  const auto pipeline = backend->make_fdk_pipeline(s.scan, s.grid, options_of(Precision::half));
  REQUIRE(pipeline);
  std::vector<float> volume(static_cast<std::size_t>(s.grid.voxels()));
  pipeline->begin(volume);
  give_all(*pipeline, p.data(), s.scan.detector.pixels());
  pipeline->finish();
  std::map<std::string, int> spans;
  for (const TimeSpan& span : pipeline->timeline()) {
    ++spans[span.lane];
    CHECK(span.start >= 0);
    CHECK(span.seconds >= 0);
  }
  const auto batches = static_cast<int>(pipeline->batches().size());
  CHECK(batches == 5);  // 8, 16, 24, 32, and 8 of the 64 that would be next
  CHECK(spans["upload"] == batches);
  CHECK(spans["filter"] == batches);
  CHECK(spans["backproject"] == batches + 1);
  CHECK(spans["download"] == 2);
}

TEST_CASE("volumes and views that exceed a budget pass through the device in parts") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s{"larger than the budget",
                {{301, 203, 1, 1}, circular_views({301, 203, 1, 1}, equal_angles(128, 3), 600, 900)},
                {{96, 96, 131}, {1.8, 1.8, 1}, {0, 0, 0}}};
  const HostArray<float> p = integrals(s.scan);
  for (const std::int64_t memory : {20 << 20, 26 << 20, 1 << 30}) {
    BackendOptions budget;
    budget.memory_bytes = memory;
    const auto small = make_backend("cuda", budget);
    for (const Precision precision : {Precision::fast, Precision::half}) {
      FdkPipelineOptions o = options_of(precision);
      o.batches = {4, 8};
      o.filtered_together = 4;
      const auto pipeline = small->make_fdk_pipeline(s.scan, s.grid, o);
      REQUIRE(pipeline);
      INFO(memory << " bytes, " << pipeline->variant());
      CHECK((pipeline->variant().find("in slabs") == std::string::npos) == (memory == 1 << 30));
      std::vector<float> volume(static_cast<std::size_t>(s.grid.voxels()), 1e30f);
      const auto expected = ordinary(*backend, s, o, p.span());
      for (int run = 0; run < 2; ++run) {
        pipeline->begin(volume);
        give_all(*pipeline, p.data(), s.scan.detector.pixels());
        pipeline->finish();
        CHECK(relative_l2(expected, volume) < (precision == Precision::half ? 3e-5 : 2e-6));
      }
    }
  }
}

TEST_CASE("what the pipeline does not do is left to the ordinary path") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Setup s = setups().front();
  FdkPipelineOptions unpacked = options_of(Precision::exact);
  unpacked.ct.packing = Packing::none;
  CHECK_FALSE(backend->make_fdk_pipeline(s.scan, s.grid, unpacked));
  FdkPipelineOptions filtered = options_of(Precision::fast);
  filtered.filter.window = FilterWindow::none;
  CHECK_FALSE(backend->make_fdk_pipeline(s.scan, s.grid, filtered));
  Scan curved = s.scan;
  curved.detector.shape = Detector::Shape::curved;
  CHECK_FALSE(backend->make_fdk_pipeline(curved, s.grid, options_of(Precision::fast)));
}

}  // namespace pipeline_cuda_test
