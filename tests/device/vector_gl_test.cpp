#include <algorithm>
#include <limits>

#include <backlit/core/error.hpp>
#include "device/gl/gl_array.hpp"
#include "device/gl/gl_backend.hpp"
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_support.hpp"
#include "support/nan_maximum.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace backlit::gl {
namespace {

const ArrayShape shapes[] = {{1, 1, 1}, {7, 5, 3}, {33, 9, 17}, {1001, 1, 1}, {130, 70, 2}};

std::vector<float> values_of(Backend& backend, const DeviceArray& a) {
  std::vector<float> v(static_cast<std::size_t>(a.count()));
  backend.download(a, v);
  return v;
}

TEST_CASE("Arrays start at zero and give back what was uploaded") {
  GlBackend backend(test_context());
  for (const ArrayShape& shape : shapes) {
    const auto a = backend.make_array(shape);
    CHECK(values_of(backend, *a) == std::vector<float>(static_cast<std::size_t>(shape.count())));
    const auto values = random_values(shape.count(), 1, -1);
    backend.upload(values, *a);
    CHECK(values_of(backend, *a) == values);
  }
  backend.context().check();
}

TEST_CASE("Transfers are split into whole layers, and into rows where a layer is too much for 32 bits") {
  const auto covered = [](std::int64_t width, std::int64_t height, std::int64_t layers, std::int64_t most) {
    const auto pieces = transfer_pieces(width, height, layers, most);
    std::int64_t next = 0;
    for (const TransferPiece& p : pieces) {
      CHECK(p.offset == next);
      CHECK(p.offset == (p.first_layer * height + p.first_row) * width);
      CHECK((p.rows == height || p.layers == 1));
      CHECK(p.layers * p.rows * width <= std::max(most, width));
      next += p.layers * p.rows * width;
    }
    CHECK(next == width * height * layers);
    return pieces.size();
  };
  CHECK(covered(7, 5, 11, 1000) == 1);
  CHECK(covered(7, 5, 11, 70) == 6);
  CHECK(covered(7, 5, 3, 15) == 9);
  CHECK(covered(7, 5, 3, 2) == 15);
  CHECK(covered(32768, 32768, 3, std::int64_t{64} << 20) == 48);
}

TEST_CASE("Arrays with more layers than a texture may have are split and nobody notices") {
  const auto context = test_context();
  Limits few = context->limits();
  few.array_layers = 4;
  context->mask(few);
  GlBackend backend(context);
  const ArrayShape shape{5, 3, 11};
  const auto a = backend.make_array(shape), b = backend.make_array(shape);
  CHECK(as_gl(*a).textures().size() == 3);
  const auto x = random_values(shape.count(), 2, -1), y = random_values(shape.count(), 3, -1);
  backend.upload(x, *a);
  backend.upload(y, *b);
  backend.axpy(2, *a, *b);
  const auto result = values_of(backend, *b);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    REQUIRE(result[i] == Approx(2 * x[i] + y[i]).margin(1e-6));
    sum += result[i];
  }
  CHECK(backend.sum(*b) == Approx(sum));
  context->check();
}

TEST_CASE("Layers of an array come down into any memory") {
  const auto context = test_context();
  Limits few = context->limits();
  few.array_layers = 4;
  context->mask(few);
  GlBackend backend(context);
  const ArrayShape shape{33, 9, 11};
  const auto a = backend.make_array(shape), drawn = backend.make_array(shape);
  const auto values = random_values(shape.count(), 4, -1);
  backend.upload(values, *a);
  backend.axpy(1, *a, *drawn);
  const std::int64_t layer = shape.n0 * shape.n1;
  const auto memory = backend.host_memory(shape.count() * std::int64_t{sizeof(float)});
  std::vector<float> plain(values.size());
  for (const DeviceArray* array : {a.get(), drawn.get()})
    for (const auto& [first, count] : {std::pair{0, 11}, {0, 1}, {2, 3}, {3, 8}, {10, 1}})
      for (float* room : {plain.data(), reinterpret_cast<float*>(memory.get()) + layer}) {
        const std::span<float> host(room, static_cast<std::size_t>(std::min(count, 10) * layer));
        CHECK(backend.download_rows(*array, first, host));
        CHECK(std::equal(host.begin(), host.end(), values.begin() + first * layer));
      }
  const auto part = backend.rows(*drawn, 4, 3);
  REQUIRE(part);
  for (float* room : {plain.data(), reinterpret_cast<float*>(memory.get())}) {
    const std::span<float> host(room, static_cast<std::size_t>(3 * layer));
    backend.download(*part, host);
    CHECK(std::equal(host.begin(), host.end(), values.begin() + 4 * layer));
  }
  CHECK_THROWS_WITH(backend.download_rows(*a, 9, std::span(plain).first(static_cast<std::size_t>(3 * layer))),
                    Contains("values from row 9"));
  context->check();
}

TEST_CASE("Operations on rows of an array find these rows, and leave the others alone") {
  GlBackend backend(test_context());
  const ArrayShape shape{33, 9, 11};
  const std::int64_t layer = shape.n0 * shape.n1;
  for (const auto& [first, count] : {std::pair{0, 4}, {3, 5}, {10, 1}, {0, 11}}) {
    INFO("rows from " << first << ", " << count);
    const auto whole = backend.make_array(shape), other = backend.make_array({shape.n0, shape.n1, count});
    const ArrayPtr part = backend.rows(*whole, first, count);
    auto expected = random_values(shape.count(), 6, -1);
    const auto values = random_values(other->count(), 7, -1), more = random_values(other->count(), 8, -1);
    const auto rows = std::span(expected).subspan(static_cast<std::size_t>(first * layer), values.size());
    backend.upload(expected, *whole);
    CHECK(std::ranges::equal(values_of(backend, *part), rows));
    backend.copy(*part, *other);
    CHECK(std::ranges::equal(values_of(backend, *other), rows));
    backend.upload(values, *part);
    std::ranges::copy(values, rows.begin());
    CHECK(values_of(backend, *whole) == expected);
    backend.upload(more, *other);
    backend.copy(*other, *part);
    std::ranges::copy(more, rows.begin());
    CHECK(values_of(backend, *whole) == expected);
    CHECK(values_of(backend, *part) == more);
    CHECK(backend.maximum(*part) == std::ranges::max(more));
    CHECK(std::ranges::equal(values_of(backend, *backend.rows(*part, count - 1, 1)),
                             std::span(more).last(static_cast<std::size_t>(layer))));
    backend.fill(*part, 3);
    std::ranges::fill(rows, 3.0f);
    CHECK(values_of(backend, *whole) == expected);
  }
  backend.context().check();
}

TEST_CASE("Arrays that do not fit say so") {
  GlBackend backend(test_context());
  CHECK_THROWS_WITH(backend.make_array({1 << 20, 1, 1}),
                    Contains("1048576 x 1 is larger than a texture of this device"));
  CHECK_THROWS_WITH(backend.make_array({0, 1, 1}), Contains("an array of 0 x 1 x 1 values is empty"));
  const auto a = backend.make_array({2, 2, 2}), b = backend.make_array({2, 2, 3});
  std::vector<float> seven(7);
  CHECK_THROWS_WITH(backend.upload(seven, *a), Contains("7 values on the host, 8 on the device"));
  CHECK_THROWS_WITH(backend.axpy(1, *a, *b), Contains("different shapes"));
  backend.context().check();
}

TEST_CASE("Vector operations do what the host would do") {
  GlBackend backend(test_context());
  for (const ArrayShape& shape : shapes) {
    auto x = random_values(shape.count(), 4, -2, 2);
    const auto y = random_values(shape.count(), 5, -2, 2);
    x[0] = 0;
    const auto dx = backend.make_array(shape), dy = backend.make_array(shape);
    backend.upload(x, *dx);
    const auto expect = [&](const char* what, auto operation, auto reference) {
      backend.upload(y, *dy);
      operation();
      const auto result = values_of(backend, *dy);
      for (std::size_t i = 0; i < y.size(); ++i) {
        INFO(what << " at " << i << " of " << y.size());
        REQUIRE(result[i] == Approx(reference(x[i], y[i])).epsilon(2e-6).margin(1e-6));
      }
    };
    expect(
        "fill", [&] { backend.fill(*dy, 1.5f); }, [](float, float) { return 1.5f; });
    expect(
        "copy", [&] { backend.copy(*dx, *dy); }, [](float a, float) { return a; });
    expect(
        "scale", [&] { backend.scale(*dy, -3); }, [](float, float b) { return -3 * b; });
    expect(
        "axpy", [&] { backend.axpy(0.5f, *dx, *dy); }, [](float a, float b) { return 0.5f * a + b; });
    expect(
        "multiply", [&] { backend.multiply(*dx, *dy); }, [](float a, float b) { return a * b; });
    expect(
        "square", [&] { backend.multiply(*dy, *dy); }, [](float, float b) { return b * b; });
    expect(
        "divide", [&] { backend.divide(*dx, *dy, 0.25f); },
        [](float a, float b) { return std::abs(a) > 0.25f ? b / a : 0; });
    expect(
        "clamp", [&] { backend.clamp(*dy, -0.5f, 1); }, [](float, float b) { return std::clamp(b, -0.5f, 1.f); });
    expect(
        "exp", [&] { backend.exponential(*dy); }, [](float, float b) { return std::exp(b); });
  }
  backend.context().check();
}

TEST_CASE("Sums are those of double precision and repeat bit for bit") {
  GlBackend backend(test_context());
  for (const ArrayShape& shape : shapes) {
    const auto x = random_values(shape.count(), 6, -1, 3), y = random_values(shape.count(), 7, -1, 3);
    const auto dx = backend.make_array(shape), dy = backend.make_array(shape);
    backend.upload(x, *dx);
    backend.upload(y, *dy);
    double dot = 0, sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      dot += static_cast<double>(x[i]) * y[i];
      sum += x[i];
    }
    CHECK(backend.dot(*dx, *dy) == Approx(dot).epsilon(1e-12));
    CHECK(backend.sum(*dx) == Approx(sum).epsilon(1e-12));
    CHECK(backend.maximum(*dx) == *std::ranges::max_element(x));
    CHECK(backend.dot(*dx, *dy) == backend.dot(*dx, *dy));
  }
  const auto negative = backend.make_array({3, 3, 3});
  backend.fill(*negative, -2);
  CHECK(backend.maximum(*negative) == -2);
  test::check_maximum_of_nan(backend);
  backend.context().check();
}

TEST_CASE("Two backends on one thread keep their arrays apart") {
  const auto first = make_gl_backend(), second = make_gl_backend();
  const auto a = first->make_array({4, 4, 4}), b = second->make_array({4, 4, 4});
  first->fill(*a, 1);
  second->fill(*b, 2);
  CHECK(first->sum(*a) == 64);
  CHECK(second->sum(*b) == 128);
  first->finish();
  second->finish();
}

}  // namespace
}  // namespace backlit::gl
