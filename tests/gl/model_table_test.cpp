// The table of docs/methods.md: every model against exact line integrals of Shepp-Logan phantoms. Hidden: name it to
// run it.
#include <fmt/format.h>

#include <chrono>

#include "backend/gl/gl_backend_class.hpp"
#include "gl_cases.hpp"
#include "phantom/phantom.hpp"

namespace backlit::gl {

TEST_CASE("Table of projection models", "[.table]") {
  GlBackend backend(test_context());
  constexpr std::int64_t n = 128;
  const VolumeGrid grid{{n, n, n}, Vec3(2), Vec3(0)};
  const Detector d{n, n, 3.6, 3.6};  // 1.2 voxels at the axis
  const Scan scan{d, circular_views(d, equal_angles(8, 10), 1000, 1500)};
  struct Row {
    Model model;
    Precision precision;
    Packing packing;
    const char* variant;
    double step;
  };
  std::vector<Row> rows;
  for (const char* draw : {"draw=compute", "draw=rays"})
    for (const Precision p : {Precision::exact, Precision::fast, Precision::half})
      rows.push_back({Model::slice_interpolated, p, Packing::none, draw, 0.5});
  rows.push_back({Model::slice_interpolated, Precision::fast, Packing::none, "draw=slices", 0.5});
  rows.push_back({Model::slice_interpolated, Precision::fast, Packing::orbit, "draw=compute", 0.5});
  rows.push_back({Model::slice_interpolated, Precision::half, Packing::orbit, "draw=compute", 0.5});
  for (const double step : {1.0, 0.5, 0.25})
    for (const char* way : {"draw=compute", "draw=compute,fetch=slices", "draw=rays", "draw=rays,fetch=slices"})
      rows.push_back({Model::raycast, Precision::fast, Packing::none, way, step});
  for (const char* draw : {"draw=compute", "draw=rays"})
    rows.push_back({Model::box_line_integrated, Precision::fast, Packing::none, draw, 0.5});
  for (const char* draw : {"draw=compute", "draw=rays", "draw=slices"})
    rows.push_back({Model::splat, Precision::fast, Packing::none, draw, 0.5});
  for (const std::string name : {"shepp-logan-rtk", "shepp-logan-3d"}) {
    Phantom phantom = load_phantom(name);
    double reach = 0;
    for (const Body& b : phantom.bodies) reach = std::max({reach, b.half.x, b.half.y, b.half.z});
    phantom = scaled(phantom, 110 / reach);
    const Volume volume = voxelize(phantom, grid, 4);
    Projections centre(scan), mean(scan);
    project_phantom(phantom, scan, 0, 8, 1, centre.values.span());
    project_phantom(phantom, scan, 0, 8, 4, mean.values.span());
    const double most = *std::max_element(centre.values.begin(), centre.values.end());
    for (const Row& row : rows) {
      const CtOptions o{row.model, row.precision, row.packing, Weighting::none, row.variant, row.step};
      const auto a = backend.make_ct(grid, scan, o);
      const auto x = a->make_domain(), y = a->make_range(8);
      backend.upload(volume.values.span(), *x);
      double best = 1e9;
      for (int run = 0; run < 3; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        a->forward(*x, *y, a->all(), Write::overwrite);
        backend.finish();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      std::vector<float> p(static_cast<std::size_t>(y->count()));
      backend.download(*y, p);
      const auto rms = [&](const Projections& exact) {
        double sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i) sum += std::pow(double(p[i]) - double(exact.values.data()[i]), 2);
        return 100 * std::sqrt(sum / double(p.size())) / most;
      };
      fmt::print("{} step {}: {} | {:.3f} | {:.3f} | {:.2f} ms\n", name, row.step, a->variant(), rms(mean), rms(centre),
                 1e3 * best);
      std::fflush(stdout);
      if (row.model == Model::slice_interpolated) CHECK(rms(mean) < 1);
    }
  }
}

}  // namespace backlit::gl
