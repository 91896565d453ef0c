#include "study/bench/bench_fdk.hpp"

#include <algorithm>
#include <cmath>

#include <backlit/core/error.hpp>
#include "recon/fdk/filtered_backprojection.hpp"
#include "recon/fdk/view_order.hpp"

namespace backlit {
namespace {

std::span<float> floats(std::byte* bytes, std::int64_t count) {
  return {reinterpret_cast<float*>(bytes), static_cast<std::size_t>(count)};
}

void fill_counts(std::span<std::uint16_t> counts) {
  std::uint32_t state = 1;
  for (std::uint16_t& c : counts) {
    state = state * 1664525u + 1013904223u;
    c = static_cast<std::uint16_t>(1000 + (state >> 8) % 59000);
  }
}

}  // namespace

BenchHost::BenchHost(Backend& backend, const BenchCase& c, BenchInput i, const BenchData* data)
    : bench(c), input(i), head(data) {
  const std::int64_t values = c.scan.view_count() * c.scan.detector.pixels();
  views = backend.host_memory(values * (input == BenchInput::u16 ? 2 : 4));
  volume = backend.host_memory(c.grid.voxels() * 4);
  const std::span<std::uint16_t> counts(reinterpret_cast<std::uint16_t*>(views.get()),
                                        static_cast<std::size_t>(values));
  if (input == BenchInput::u16 && head)
    std::ranges::transform(head->integrals, counts.begin(), [](float p) {
      return static_cast<std::uint16_t>(std::lround(open_counts * std::exp(-double{p})));
    });
  else if (input == BenchInput::u16)
    fill_counts(counts);
  else if (head)
    std::ranges::copy(head->integrals, floats(views.get(), values).begin());
  else
    fill_random(floats(views.get(), values));
}

struct FdkBench::Steps {
  Steps(Backend& backend, const BenchHost& host, const CtOptions& ct, const FilterOptions& filter)
      : source(in_packing_order(backend, line_integrals(host), host.bench.grid, ct, filter)),
        sum(backend, source->scan(), host.bench.grid, ct, filter, seconds) {}

  static std::shared_ptr<ProjectionSource> line_integrals(const BenchHost& host) {
    Projections views(host.bench.scan);
    std::ranges::copy(floats(host.views.get(), views.values.size()), views.values.begin());
    return std::make_shared<MemorySource>(std::move(views));
  }

  std::shared_ptr<ProjectionSource> source;
  StageSeconds seconds;
  FilteredBackprojection sum;
  std::vector<float> batch;
};

FdkBench::~FdkBench() = default;

FdkBench::FdkBench(Backend& backend, const BenchHost& host, const CtOptions& ct, const FdkPipelineOptions& cuts)
    : backend_(backend), host_(host) {
  FdkPipelineOptions options = cuts;
  options.ct = ct;
  options.ct.weighting = Weighting::fdk;
  if (host.input == BenchInput::u16) {
    const auto pixels = static_cast<std::size_t>(host.bench.scan.detector.pixels());
    scale_ = {std::vector<float>(pixels, 0.0f), std::vector<float>(pixels, open_counts)};
    options.counts = &scale_;
  }
  pipeline_ = backend.make_fdk_pipeline(host.bench.scan, host.bench.grid, options);
  if (pipeline_) return;
  if (host.input == BenchInput::u16)
    throw Unsupported(backend.name(), "counts are corrected on the host in this case, before FDK begins",
                      "see the row of f32");
  steps_ = std::make_unique<Steps>(backend, host, ct, cuts.filter);
}

void FdkBench::once() {
  const std::span<float> volume = floats(host_.volume.get(), host_.bench.grid.voxels());
  if (steps_) {
    Steps& s = *steps_;
    s.sum.restart();
    while (!s.sum.complete()) {
      const std::int64_t count = s.sum.batch();
      s.batch.resize(static_cast<std::size_t>(count * s.source->scan().detector.pixels()));
      s.source->read(s.sum.done(), count, s.batch);
      s.sum.add(s.batch);
    }
    return backend_.download(s.sum.volume(), volume);
  }
  std::vector<const std::byte*> places;
  pipeline_->begin(volume);
  for (std::int64_t n = 0; n < static_cast<std::int64_t>(pipeline_->batches().size()); ++n) {
    places.clear();
    for (std::int64_t view : pipeline_->batches()[static_cast<std::size_t>(n)])
      places.push_back(host_.views.get() + view * pipeline_->view_bytes());
    pipeline_->give(n, places);
  }
  pipeline_->finish();
}

BenchRow FdkBench::run(std::int64_t repeats) {
  const BenchCase& c = host_.bench;
  const char* operation = host_.input == BenchInput::u16 ? "fdk u16" : "fdk f32";
  const std::string variant = steps_ ? steps_->sum.backprojector().variant() + ", in steps" : pipeline_->variant();
  BenchRow row{c.name, operation, variant, {}, 0, "GUPS", {}};
  row.seconds = time_repeatedly([&] { once(); }, [] {}, repeats, 0.5);
  row.rate = static_cast<double>(c.grid.voxels()) * static_cast<double>(c.scan.view_count()) / 1e9 / row.seconds.median;
  if (host_.head) row.rmse = rmse_hu(host_.head->middle, floats(host_.volume.get(), c.grid.voxels()));
  return row;
}

}  // namespace backlit
