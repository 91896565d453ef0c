// FDK's filter on OpenGL against the host's.
#include "device/gl/gl_backend_class.hpp"
#include "recon/fdk/gl_filter.hpp"
#include "support/gl/gl_cases.hpp"

namespace backlit::gl {
namespace {

std::vector<float> filtered(GlBackend& backend, const Scan& scan, const FilterOptions& options,
                            const std::vector<float>& views, std::int64_t first = 0) {
  const auto filter = backend.make_filter(scan, options);
  const auto out = backend.make_array(
      shape_of(filter->scan().detector, static_cast<std::int64_t>(views.size()) / scan.detector.pixels()));
  filter->run(first, views, *out);
  std::vector<float> host(static_cast<std::size_t>(out->count()));
  backend.download(*out, host);
  return host;
}

FilterOptions with(FilterVariant variant, FilterWindow window = FilterWindow::ram_lak, double cutoff = 1,
                   double pad = 0) {
  FilterOptions o;
  o.variant = variant;
  o.window = window;
  o.cutoff = cutoff;
  o.pad = pad;
  o.force = true;
  return o;
}

}  // namespace

TEST_CASE("The filter on OpenGL gives the host's views to 1e-5, for every geometry") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    INFO(c.name);
    const auto views = random_values(c.scan.view_count() * c.scan.detector.pixels(), 7, -1, 2);
    const auto expected = filtered(backend, c.scan, with(FilterVariant::host), views);
    CHECK(relative_l2(filtered(backend, c.scan, with(FilterVariant::fft), views), expected) < 1e-5);
    CHECK(relative_l2(filtered(backend, c.scan, with(FilterVariant::convolution), views), expected) < 1e-5);
  }
  backend.context().check();
}

TEST_CASE("Windows and cutoffs on OpenGL are the host's, whatever the transform's length") {
  GlBackend backend(test_context());
  for (const std::int64_t columns : {1, 2, 5, 97, 128, 131}) {
    const Detector d{columns, 3, 1, 1};
    const Scan scan{d, parallel_views(d, equal_angles(4, 0, 180))};
    const auto views = random_values(4 * d.pixels(), 3);
    for (const FilterWindow window : {FilterWindow::ram_lak, FilterWindow::shepp_logan, FilterWindow::cosine,
                                      FilterWindow::hann, FilterWindow::hamming})
      for (const double cutoff : {1.0, 0.43}) {
        INFO(columns << " columns, " << name(window) << " " << cutoff);
        const auto expected = filtered(backend, scan, with(FilterVariant::host, window, cutoff), views);
        CHECK(relative_l2(filtered(backend, scan, with(FilterVariant::fft, window, cutoff), views), expected) < 1e-5);
        CHECK(relative_l2(filtered(backend, scan, with(FilterVariant::convolution, window, cutoff), views), expected) <
              1e-5);
      }
  }
}

TEST_CASE("Continued rows and differential views are filtered on OpenGL as on the host, whatever the row's length") {
  GlBackend backend(test_context());
  for (const std::int64_t columns : {2, 5, 64, 97, 131}) {
    const Detector d{columns, 3, 1.3, 1};
    const Scan scan{d, parallel_views(d, equal_angles(4, 0, 180))};
    const auto views = random_values(4 * d.pixels(), 5, -1, 2);
    for (const FilterWindow window : {FilterWindow::ram_lak, FilterWindow::hann, FilterWindow::hilbert})
      for (const double pad : {0.0, 0.1, 0.6, 1.0}) {
        const double cutoff = window == FilterWindow::ram_lak ? 1 : 0.6;
        INFO(columns << " columns, " << name(window) << ", pad " << pad);
        const auto expected = filtered(backend, scan, with(FilterVariant::host, window, cutoff, pad), views);
        for (const FilterVariant variant : {FilterVariant::fft, FilterVariant::convolution}) {
          const FilterOptions o = with(variant, window, cutoff, pad);
          CHECK(dynamic_cast<GlFilter*>(backend.make_filter(scan, o).get()));
          CHECK(relative_l2(filtered(backend, scan, o, views), expected) < 1e-5);
        }
      }
  }
  const Detector one{1, 3, 1, 1};  // odd kernels leave nothing of a single column
  const Scan scan{one, parallel_views(one, equal_angles(4, 0, 180))};
  for (const float value :
       filtered(backend, scan, with(FilterVariant::fft, FilterWindow::hilbert, 1, 1), random_values(12, 5)))
    CHECK(value == 0);
  backend.context().check();
}

TEST_CASE("Continued rows on OpenGL are the host's for every geometry, displaced and curved detectors among them") {
  GlBackend backend(test_context());
  for (const Case& c : cases()) {
    INFO(c.name);
    const auto views = random_values(c.scan.view_count() * c.scan.detector.pixels(), 7, 0.5, 2);
    const auto expected = filtered(backend, c.scan, with(FilterVariant::host, FilterWindow::ram_lak, 1, 0.3), views);
    CHECK(relative_l2(filtered(backend, c.scan, with(FilterVariant::host), views), expected) > 1e-3);
    for (const FilterVariant variant : {FilterVariant::fft, FilterVariant::convolution})
      CHECK(relative_l2(filtered(backend, c.scan, with(variant, FilterWindow::ram_lak, 1, 0.3), views), expected) <
            1e-5);
  }
  backend.context().check();
}

TEST_CASE("Continued rows that are longer than a texture go to the host, unless OpenGL was asked for by name") {
  const auto context = test_context();
  const Limits real = context->limits();
  Limits small = real;
  small.software = false;
  small.shared_bytes = 256;
  small.texture_size = 100;
  context->mask(small);
  GlBackend backend(context);
  const Detector d{64, 3, 1.3, 1};
  const Scan scan{d, parallel_views(d, equal_angles(4, 0, 180))};
  CHECK(dynamic_cast<GlFilter*>(
      backend.make_filter(scan, with(FilterVariant::automatic, FilterWindow::ram_lak, 1, 0.2)).get()));
  CHECK_FALSE(dynamic_cast<GlFilter*>(
      backend.make_filter(scan, with(FilterVariant::automatic, FilterWindow::ram_lak, 1, 1)).get()));
  CHECK_THROWS_WITH(backend.make_filter(scan, with(FilterVariant::convolution, FilterWindow::ram_lak, 1, 1)),
                    "pad: rows continued to 190 columns are longer than this device's textures, 100; use "
                    "`filter_variant` host, or a smaller `pad`");
  context->mask(real);
}

TEST_CASE("Rows of a few columns more than half a transform's length do with it where nothing is lost") {
  GlBackend backend(test_context());
  TimingTable timings;
  const std::pair<std::int64_t, std::int64_t> sizes[] = {{512, 1024}, {513, 1024}, {520, 1024}, {528, 2048}, {20, 64}};
  for (const auto& [columns, size] : sizes) {
    INFO(columns << " columns");
    const Detector d{columns, 3, 1, 1};
    const Scan scan{d, parallel_views(d, equal_angles(2, 0, 180))};
    CHECK(GlFilter(test_context(), timings, scan, with(FilterVariant::fft)).size() == size);
    std::vector<float> views(static_cast<std::size_t>(2 * d.pixels()));
    for (std::size_t i = 0; i < views.size(); ++i) views[i] = i % static_cast<std::size_t>(columns) > 1;  // ends matter
    const auto expected = filtered(backend, scan, with(FilterVariant::host), views),
               seen = filtered(backend, scan, with(FilterVariant::fft), views);
    double worst = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) worst = std::max<double>(worst, std::abs(seen[i] - expected[i]));
    CHECK(worst < 5e-7);
  }
}

TEST_CASE("A filter on OpenGL takes any views of the scan, from the host or on the card, over several textures") {
  const auto context = test_context();
  Limits few = context->limits();
  few.array_layers = 4;
  context->mask(few);
  GlBackend backend(context);
  const Detector d{37, 5, 1, 1};
  const Scan scan{d, circular_views(d, equal_angles(21, 5, 220), 60, 90)};
  const auto all = random_values(21 * d.pixels(), 11);
  const auto whole = filtered(backend, scan, with(FilterVariant::host), all);
  const std::vector<float> part(all.begin() + 3 * d.pixels(), all.begin() + 14 * d.pixels());
  const std::vector<float> expected(whole.begin() + 3 * d.pixels(), whole.begin() + 14 * d.pixels());
  for (const FilterVariant variant : {FilterVariant::fft, FilterVariant::convolution}) {
    INFO(name(variant));
    CHECK(relative_l2(filtered(backend, scan, with(variant), part, 3), expected) < 1e-5);
    const auto filter = backend.make_filter(scan, with(variant));
    const auto raw = backend.make_array(shape_of(d, 11)), out = backend.make_array(shape_of(d, 11));
    backend.upload(part, *raw);
    filter->run_on_device(3, *raw, *out);
    std::vector<float> host(part.size());
    backend.download(*out, host);
    CHECK(relative_l2(host, expected) < 1e-5);
  }
  context->mask(query_limits());
}

TEST_CASE("Rows too long for shared memory are summed up, unless a transform was asked for") {
  const auto context = test_context();
  Limits little = context->limits();
  little.shared_bytes = 1024;
  context->mask(little);
  GlBackend backend(context);
  const Detector d{100, 2, 1, 1};
  const Scan scan{d, parallel_views(d, equal_angles(3, 0, 180))};
  CHECK(GlFilter(context, backend.timings(), scan, {}).algorithm() == GlFilter::Algorithm::convolution);
  CHECK_THROWS_WITH(backend.make_filter(scan, with(FilterVariant::fft)),
                    "filter_variant: a transform of 256 values does not fit this device's 1024 bytes of shared memory; "
                    "use `filter_variant` convolution or auto");
  little.shared_bytes = 2048;  // room for these rows, but not for their continuation
  context->mask(little);
  CHECK(GlFilter(context, backend.timings(), scan, {}).algorithm() == GlFilter::Algorithm::fft);
  CHECK(GlFilter(context, backend.timings(), scan, {.pad = 1}).algorithm() == GlFilter::Algorithm::convolution);
  context->mask(query_limits());
  CHECK(GlFilter(context, backend.timings(), scan, {}).algorithm() == GlFilter::Algorithm::fft);
  CHECK_THROWS_WITH(make_backend("cpu")->make_filter(scan, with(FilterVariant::fft)),
                    "filter_variant: fft is not offered on cpu; use `backend` gl, or `filter_variant` host");
}

}  // namespace backlit::gl
