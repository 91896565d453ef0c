// FDK from host memory to host memory on OpenGL (recon/fdk/gl_pipeline.hpp) against filter and backprojection one after
// the other.
#include <cstring>

#include <backlit/phantom/phantom.hpp>
#include <backlit/preprocess/fdk_filter.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/fdk/projection_filter.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"

namespace backlit::gl::fdk_pipeline_gl_test {
namespace {

/// Filtered on the device: by default llvmpipe leaves that to the host, and there is no pipeline.
FdkPipelineOptions options_of(Precision precision) {
  FdkPipelineOptions o;
  o.ct.precision = precision;
  o.ct.weighting = Weighting::fdk;
  o.filter.variant = FilterVariant::fft;
  return o;
}

std::vector<float> in_steps(Backend& backend, const Case& c, const FdkPipelineOptions& o, std::span<const float> p) {
  const auto filter = backend.make_filter(c.scan, o.filter);
  const auto op = backend.make_ct(c.grid, filter->scan(), o.ct);
  const ArrayPtr views = op->make_range(c.scan.view_count()), volume = op->make_domain();
  filter->run(0, p, *views);
  op->back(*views, *volume, op->all(), Write::overwrite);
  std::vector<float> result(static_cast<std::size_t>(c.grid.voxels()));
  backend.download(*volume, result);
  return result;
}

void give_all(FdkPipeline& pipeline, const std::byte* views) {
  for (std::int64_t n = 0; n < std::ssize(pipeline.batches()); ++n) {
    std::vector<const std::byte*> places;
    for (const std::int64_t view : pipeline.batches()[static_cast<std::size_t>(n)])
      places.push_back(views + view * pipeline.view_bytes());
    pipeline.give(n, places);
  }
}

std::vector<Case> pipeline_cases() {
  std::vector<Case> all{quarter_turns(18, false), quarter_turns(21, true)};
  for (const Case& c : cases())
    if (c.name == "circular" || c.name == "half fan" || c.name == "tilted and offset" || c.name == "curved")
      all.push_back(c);
  return all;
}

TEST_CASE("FDK's pipeline on OpenGL gives what filter and backprojection give, from any memory to any") {
  GlBackend backend(test_context());
  for (const Case& c : pipeline_cases()) {
    const auto p = random_values(c.scan.view_count() * c.scan.detector.pixels(), 3);
    const auto bytes = static_cast<std::int64_t>(p.size() * sizeof(float));
    const std::shared_ptr<std::byte> views = backend.host_memory(bytes),
                                     room = backend.host_memory(4 * c.grid.voxels());
    std::memcpy(views.get(), p.data(), static_cast<std::size_t>(bytes));
    const std::span<float> mapped(reinterpret_cast<float*>(room.get()), static_cast<std::size_t>(c.grid.voxels()));
    for (const Precision precision : {Precision::fast, Precision::half}) {
      FdkPipelineOptions o = options_of(precision);
      o.batches = {4, 8};
      const auto pipeline = backend.make_fdk_pipeline(c.scan, c.grid, o);
      REQUIRE(pipeline);
      INFO(c.name << ", " << pipeline->variant());
      const auto expected = in_steps(backend, c, o, p);
      const double limit = precision == Precision::half ? 1e-3 : 2e-6;
      std::vector<float> plain(expected.size());
      for (int run = 0; run < 2; ++run) {  // a plan runs any number of times
        std::ranges::fill(plain, 7.0f);
        pipeline->begin(plain);
        give_all(*pipeline, reinterpret_cast<const std::byte*>(p.data()));
        pipeline->finish();
        CHECK(relative_l2(plain, expected) < limit);
      }
      std::ranges::fill(mapped, 7.0f);
      pipeline->begin(mapped);
      give_all(*pipeline, views.get());
      pipeline->finish();
      CHECK(std::ranges::equal(mapped, plain));
      CHECK(pipeline->timeline().size() == 3 * pipeline->batches().size() + 1);
    }
  }
  backend.context().check();
}

TEST_CASE("FDK's pipeline on OpenGL has room for each batch, and gives the volume of those so far") {
  GlBackend backend(test_context());
  const Case c = quarter_turns(18, false);
  const auto p = random_values(c.scan.view_count() * c.scan.detector.pixels(), 3);
  FdkPipelineOptions o = options_of(Precision::fast);
  o.ct.packing = Packing::none;  // as the views are backprojected below, one by one
  o.batches = {4};
  const auto pipeline = backend.make_fdk_pipeline(c.scan, c.grid, o);
  REQUIRE(pipeline);
  REQUIRE(pipeline->batches().size() == 3);
  std::vector<float> all(static_cast<std::size_t>(c.grid.voxels())), sum(all.size()), expected(all.size());
  pipeline->begin(all);
  const auto filter = backend.make_filter(c.scan, o.filter);
  const auto op = backend.make_ct(c.grid, filter->scan(), o.ct);  // wider: the detector is displaced
  const ArrayPtr one = op->make_range(1), volume = op->make_domain();
  const std::int64_t pixels = c.scan.detector.pixels();
  for (std::int64_t n = 0; n < 3; ++n) {
    const std::span<std::byte> room = pipeline->staging(n);
    std::vector<const std::byte*> places;
    for (const std::int64_t view : pipeline->batches()[static_cast<std::size_t>(n)]) {
      std::byte* const place = room.data() + std::ssize(places) * pipeline->view_bytes();
      std::memcpy(place, p.data() + view * pixels, static_cast<std::size_t>(pipeline->view_bytes()));
      places.push_back(place);
      filter->run(view, std::span(p).subspan(static_cast<std::size_t>(view * pixels), static_cast<std::size_t>(pixels)),
                  *one);
      op->back(*one, *volume, {view, 1, 1}, Write::accumulate);
    }
    pipeline->give(n, places);
    backend.download(*pipeline->volume(), sum);
    pipeline->finish();
    backend.download(*volume, expected);
    CHECK(relative_l2(sum, expected) < 2e-6);
    CHECK(all == sum);
  }
  CHECK_THROWS_WITH(pipeline->give(1, {}), "pipeline: batch 1 given where 3 is due");
}

TEST_CASE("What FDK's pipeline on OpenGL leaves to others") {
  GlBackend backend(test_context());
  const Case c = quarter_turns(18, false);
  const auto made = [&](const FdkPipelineOptions& o) {
    return backend.make_fdk_pipeline(c.scan, c.grid, o) != nullptr;
  };
  CHECK(made(options_of(Precision::half)));
  FdkPipelineOptions o = options_of(Precision::half);
  o.filter.variant = FilterVariant::host;
  CHECK_FALSE(made(o));
  o = options_of(Precision::half);
  o.slice_count = 3;
  CHECK_FALSE(made(o));
  const CountScale scale;
  o = options_of(Precision::half);
  o.counts = &scale;
  CHECK_FALSE(made(o));
  GlBackend small(test_context(), 1000);
  CHECK(small.make_fdk_pipeline(c.scan, c.grid, options_of(Precision::half)) == nullptr);
}

}  // namespace
}  // namespace backlit::gl::fdk_pipeline_gl_test
