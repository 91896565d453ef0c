// The views that see a slab, and calls over the others.
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

#include <backlit/geometry/trajectory.hpp>
#include "large/cut.hpp"
#include "large/seen_views.hpp"

using namespace backlit;

namespace {

const VolumeGrid volume{{17, 15, 21}, {9.3, 9.1, 8}, {2, -3, 1}};

Scan helix(Detector::Shape shape) {
  const Detector d{41, 9, 9.1, 4.3, shape};
  return {d, helical_views(d, equal_angles(5 * 16, 17, 5 * 360), 600, 900, 45, -112)};
}

/// The largest value of each view's projection of a slab full of 1.
std::vector<float> largest(Backend& backend, const VolumeGrid& slab, const Scan& scan) {
  const auto ct = backend.make_ct(slab, scan, {});
  const ArrayPtr ones = ct->make_domain(), images = ct->make_range(scan.view_count());
  backend.fill(*ones, 1);
  ct->forward(*ones, *images, ct->all(), Write::overwrite);
  std::vector<float> values(static_cast<std::size_t>(images->count())), most;
  backend.download(*images, values);
  const std::int64_t pixels = scan.detector.pixels();
  for (std::int64_t i = 0; i < scan.view_count(); ++i)
    most.push_back(*std::max_element(values.begin() + i * pixels, values.begin() + (i + 1) * pixels));
  return most;
}

}  // namespace

TEST_CASE("Every view in which a slab shows is among those that see it, and on a helix most are not") {
  const auto backend = make_backend("cpu");
  for (const auto shape : {Detector::Shape::flat, Detector::Shape::curved})
    for (std::int64_t first = 0; first < 21; first += 7) {
      INFO((shape == Detector::Shape::flat ? "flat" : "curved") << ", from slice " << first);
      const Scan scan = helix(shape);
      const VolumeGrid slab = slab_of(volume, first, 7);
      const IndexRange seen = views_seen(slab, scan);
      CHECK(seen.count < 70);
      const std::vector<float> most = largest(*backend, slab, scan);
      CHECK(*std::max_element(most.begin(), most.end()) > 0);
      for (std::int64_t i = 0; i < scan.view_count(); ++i)
        if (!seen.contains(i)) CHECK(most[static_cast<std::size_t>(i)] == 0);
    }
  Detector d{41, 37, 9.1, 8.7};
  CHECK(views_seen(volume, {d, circular_views(d, equal_angles(30), 600, 900)}) == IndexRange{0, 30});
  VolumeGrid above = volume;
  above.center.z = 9000;
  CHECK(views_seen(above, helix(Detector::Shape::flat)).count == 0);
}

TEST_CASE("Calls over views that do not see a slab write what the whole operator would") {
  const auto backend = make_backend("cpu");
  const Scan scan = helix(Detector::Shape::flat);
  const VolumeGrid slab = slab_of(volume, 0, 7);
  const auto whole = backend->make_ct(slab, scan, {});
  const auto part = of_seen_views(*backend, backend->make_ct(slab, scan, {}), views_seen(slab, scan));
  const ArrayPtr ones = whole->make_domain();
  backend->fill(*ones, 1);
  for (const Subset& views :
       {Subset{0, 10, 1}, Subset{70, 10, 1}, Subset{0, 80, 1}, Subset{3, 4, 20}, Subset{75, 5, 1}, Subset{70, 2, 9}})
    for (const Write write : {Write::overwrite, Write::accumulate}) {
      INFO(views.first << ", " << views.count << " every " << views.stride);
      std::vector<std::vector<float>> results;
      for (LinearOperator* const ct : {whole.get(), part.get()}) {
        const ArrayPtr images = ct->make_range(views.count), all = ct->make_range(80), back = ct->make_domain();
        for (const ArrayPtr& array : {std::cref(images), std::cref(all), std::cref(back)}) backend->fill(*array, 2);
        ct->forward(*ones, *images, views, write);
        ct->forward(*ones, *all, views, write);
        backend->fill(*back, 3);
        ct->back(*images, *back, views, write);
        const ArrayPtr sum = ct->make_domain();
        ct->sensitivity(*sum, views);
        for (const ArrayPtr& array : {std::cref(images), std::cref(all), std::cref(back), std::cref(sum)}) {
          results.emplace_back(static_cast<std::size_t>(array->count()));
          backend->download(*array, results.back());
        }
      }
      for (std::size_t i = 0; i < 4; ++i) CHECK(results[i] == results[i + 4]);
    }
}
