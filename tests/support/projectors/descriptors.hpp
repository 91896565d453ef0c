// Checks every projector of a device against its descriptor. Its error against the CPU's double precision must be
// within the stated one, in every precision, packing and direction. If it is declared as matched, the transpose must be
// exact.
#pragma once

#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/device/backend.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/projectors/projector.hpp>
#include "support/projectors/ct_cases.hpp"
#include "support/projectors/lines.hpp"
#include "support/projectors/view_sart.hpp"
#include "support/relative_l2.hpp"

namespace backlit::test {

/// Ordered quarter turns, which every packing supports, and a scan that only `slices` supports.
inline std::vector<CtCase> descriptor_cases() {
  const Detector square{43, 35, 1.6, 1.5}, wide{47, 31, 1.4, 1.7};
  const auto turns = equal_angles(8, 5);
  std::vector<double> groups;
  for (int first = 0; first < 2; ++first)
    for (int turn = 0; turn < 4; ++turn) groups.push_back(turns[static_cast<std::size_t>(first + 2 * turn)]);
  return {
      {"quarter turns", {{27, 27, 21}, {1.1, 1.1, 1.2}, {0, 0, 0}}, {square, circular_views(square, groups, 150, 220)}},
      {"offset",
       {{29, 23, 19}, {1.1, 1.3, 1.2}, {0.7, -0.4, 0.3}},
       {wide, circular_views(wide, equal_angles(7, 7), 150, 220, {1.3, -0.7, 0, 0, 0})}}};
}

/// A volume without edges, so that all models of a ray give about the same.
inline Volume smooth_volume(const VolumeGrid& grid) {
  Phantom phantom;
  for (const double sign : {1.0, -1.0}) {
    Body body;
    body.shape = Body::Shape::gaussian;
    body.center = sign * Vec3(3.5, -2, 1.5);
    body.half = Vec3(3.6, 4.2, 3.1);
    body.value = sign > 0 ? 1 : 0.6;
    phantom.bodies.push_back(body);
  }
  return voxelize(phantom, grid, 1);
}

struct Directions {
  std::vector<float> forward{}, back{};
};

inline std::vector<float> values_of(Backend& backend, const DeviceArray& array) {
  std::vector<float> values(static_cast<std::size_t>(array.count()));
  backend.download(array, values);
  return values;
}

inline std::vector<float> back_of(Backend& backend, LinearOperator& a, std::span<const float> views) {
  const ArrayPtr y = a.make_range(a.range().n2), x = a.make_domain();
  backend.upload(views, *y);
  a.back(*y, *x, a.all(), Write::overwrite);
  return values_of(backend, *x);
}

inline std::vector<float> forward_of(Backend& backend, LinearOperator& a, std::span<const float> volume) {
  const ArrayPtr x = a.make_domain(), y = a.make_range(a.range().n2);
  backend.upload(volume, *x);
  a.forward(*x, *y, a.all(), Write::overwrite);
  return values_of(backend, *y);
}

/// |<Ax, y> - <x, A'y>| / (|Ax| |y|) for noise.
inline double adjoint_error(Backend& backend, LinearOperator& a) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const auto noise = [&](const ArrayShape& shape) {
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (float& v : values) v = uniform(engine);
    return values;
  };
  const std::vector<float> x = noise(a.domain()), y = noise(a.range());
  const std::vector<float> ax = forward_of(backend, a, x), aty = back_of(backend, a, y);
  double there = 0, again = 0, norm_ax = 0, norm_y = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    there += static_cast<double>(ax[i]) * static_cast<double>(y[i]);
    norm_ax += static_cast<double>(ax[i]) * static_cast<double>(ax[i]);
    norm_y += static_cast<double>(y[i]) * static_cast<double>(y[i]);
  }
  for (std::size_t i = 0; i < x.size(); ++i) again += static_cast<double>(x[i]) * static_cast<double>(aty[i]);
  return std::abs(there - again) / std::sqrt(norm_ax * norm_y);
}

/// Options of the CPU's reference. The CPU lacks branchless_dd, whose reference is distance_driven.
inline CtOptions in_double(CtOptions o) {
  if (o.model == Model::branchless_dd) o.model = Model::distance_driven;
  o.precision = Precision::exact;
  o.packing = Packing::none;
  return o;
}

/// Whether a projector has a forward projection. voxel_driven on a GPU and FDK's weights are for backprojection only.
inline bool has_forward(const ProjectorInfo& info, const CtOptions& o) {
  return o.weighting == Weighting::none && (info.model != Model::voxel_driven || info.device == "cpu");
}

/// The CPU's results of a case, shared by all precisions and packings.
struct Reference {
  std::vector<float> views{};  ///< joseph's views: the input of the backprojection
  Directions result{};
};
inline const Reference& reference_of(const CtCase& c, const ProjectorInfo& info, const CtOptions& options) {
  static std::map<std::pair<std::string, std::string>, Reference> known;
  const CtOptions o = in_double(options);
  const auto [found, fresh] =
      known.try_emplace({c.name, std::string(name(o.model)) + (o.weighting == Weighting::fdk ? ", weighted" : "")});
  Reference& r = found->second;
  if (!fresh && (!r.result.forward.empty() || !has_forward(info, options))) return r;
  const auto cpu = make_backend("cpu");
  const Volume body = smooth_volume(c.grid);
  r.views = forward_of(*cpu, *cpu->make_ct(c.grid, c.scan, {.model = Model::joseph}), body.values.span());
  const auto a = cpu->make_ct(c.grid, c.scan, o);
  r.result.back = back_of(*cpu, *a, r.views);
  if (has_forward(info, options)) r.result.forward = forward_of(*cpu, *a, body.values.span());
  return r;
}

inline void check_projector(Backend& backend, const ProjectorInfo& info, const CtCase& c, const CtOptions& options,
                            double error) {
  INFO(c.name << ": " << name(info.model) << ", " << name(options.precision) << ", packing " << name(options.packing)
              << (options.weighting == Weighting::fdk ? ", weighted" : ""));
  const Reference& truth = reference_of(c, info, options);
  const auto a = backend.make_ct(c.grid, c.scan, options);
  CHECK(relative_l2(back_of(backend, *a, truth.views), truth.result.back) <= error);
  if (!has_forward(info, options)) return;
  CHECK(relative_l2(forward_of(backend, *a, smooth_volume(c.grid).values.span()), truth.result.forward) <= error);
  if (a->matched()) CHECK(adjoint_error(backend, *a) < (info.device == "cpu" ? 1e-8 : 1e-5));
}

/// Checks every precision without packing in both cases, and every packing in at least one precision.
inline void check_ct(Backend& backend, const ProjectorInfo& info) {
  const std::vector<CtCase> cases = descriptor_cases();
  REQUIRE(info.errors.size() >= info.precisions.size());
  for (const Packing packing : info.packings) {
    if (packing == Packing::automatic) continue;  // it is one of the others
    int packed = 0;
    for (std::size_t p = 0; p < info.precisions.size(); ++p)
      for (const Weighting weighting : {Weighting::none, Weighting::fdk}) {
        if (weighting == Weighting::fdk && !info.fdk_weights) continue;
        const CtOptions options{info.model, info.precisions[p], packing, weighting};
        const bool by_name = packing == Packing::orbit || packing == Packing::slices;
        if (by_name && options.precision == Precision::exact &&
            !backend.supports(cases[0].grid, cases[0].scan, options))
          continue;
        check_projector(backend, info, cases[0], options, info.errors[p]);
        ++packed;
        if (packing == Packing::none) check_projector(backend, info, cases[1], options, info.errors[p]);
      }
    INFO(name(info.model) << ", packing " << name(packing));
    CHECK(packed > 0);
  }
}

inline void check_emission(Backend& backend, const ProjectorInfo& info) {
  const CtCase c = descriptor_cases()[1];
  const auto cpu = make_backend("cpu");
  const Volume body = smooth_volume(c.grid);
  Volume matter = smooth_volume(c.grid);
  for (float& v : matter.values) v *= 0.01f;
  for (std::size_t p = 0; p < info.precisions.size(); ++p) {
    INFO("emission, " << name(info.precisions[p]));
    const auto make = [&](Backend& on, Precision precision) {
      return on.make_emission(c.grid, c.scan, matter.values.span(), {.precision = precision, .scatter_mm = 4});
    };
    const auto a = make(backend, info.precisions[p]), reference = make(*cpu, Precision::exact);
    const auto views = forward_of(*cpu, *reference, body.values.span());
    CHECK(relative_l2(forward_of(backend, *a, body.values.span()), views) <= info.errors[p]);
    CHECK(relative_l2(back_of(backend, *a, views), back_of(*cpu, *reference, views)) <= info.errors[p]);
    if (a->matched()) CHECK(adjoint_error(backend, *a) < (info.device == "cpu" ? 1e-8 : 1e-4));
  }
}

inline void check_lines(Backend& backend, const ProjectorInfo& info) {
  const VolumeGrid grid{{23, 27, 13}, Vec3(4, 3.5, 5), Vec3(3, -2, 1)};
  const Lines lines = random_lines(400, 230, 17);
  const auto cpu = make_backend("cpu");
  const Volume body = smooth_volume(grid);
  for (const LineOptions& options : {thin_lines(), tubes(gaussian_tube(9, 8))}) {
    INFO(describe(options, false));
    const auto a = backend.make_listmode(grid, lines.list(), options),
               reference = cpu->make_listmode(grid, lines.list(), options);
    const auto sums = forward_of(*cpu, *reference, body.values.span());
    std::vector<float> given(static_cast<std::size_t>(a->range().count()));  // devices pad rows
    std::ranges::copy(sums, given.begin());
    std::vector<float> found = forward_of(backend, *a, body.values.span());
    found.resize(sums.size());
    CHECK(relative_l2(found, sums) <= info.errors[0]);
    CHECK(relative_l2(back_of(backend, *a, given), back_of(*cpu, *reference, sums)) <= info.errors[0]);
  }
}

inline void check_in_place(Backend& backend, const ProjectorInfo& info) {
  const CtCase c = descriptor_cases()[1];
  const Projections views = ellipsoid_views(c.grid, c.scan);
  const auto cpu = make_backend("cpu");
  for (const bool matched : {false, true}) {
    const auto run = [&](Backend& on) {
      const auto sart = on.make_view_sart(c.grid, c.scan, {.matched = matched});
      for (std::int64_t v = 0; v < c.scan.view_count(); ++v) sart->set_view(v, views.view(v));
      for (std::int64_t v = 0; v < c.scan.view_count(); ++v) sart->correct(v, 0.7f, false);
      std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
      sart->download(volume);
      return volume;
    };
    INFO("sart_in_place, " << (matched ? "matched" : "unmatched"));
    CHECK(relative_l2(run(backend), run(*cpu)) <= info.errors[0]);
  }
}

/// Scans that some projectors refuse: a tilted detector, one curved about its own axis, a source within the grid, one
/// slice, an axis beside the grid's middle.
inline std::vector<CtCase> awkward_cases() {
  const Detector d{23, 19, 1.5, 1.5};
  Detector curved = d;
  curved.shape = Detector::Shape::curved;
  curved.radius = 100;
  const VolumeGrid grid{{15, 15, 9}, {1.1, 1.1, 1.2}, {0, 0, 0}};
  VolumeGrid beside = grid, one = grid;
  beside.center.x = 3;
  one.size[2] = 1;
  const auto views = [&](const Detector& of) { return circular_views(of, equal_angles(8, 5), 150, 220); };
  std::vector<View> tilted = views(d);
  for (View& v : tilted) std::tie(v.u, v.v) = std::pair(0.8 * v.u + 0.6 * v.v, 0.8 * v.v - 0.6 * v.u);
  return {{"tilted", grid, {d, tilted}},
          {"curved", grid, {curved, views(curved)}},
          {"source within", grid, {d, circular_views(d, equal_angles(8, 5), 6, 40)}},
          {"beside", beside, {d, views(d)}},
          {"one slice", one, {d, views(d)}}};
}

/// Checks that supports() and make_ct() agree on the awkward cases; returns the number of refusals.
inline int check_refusals(Backend& backend) {
  int refused = 0;
  for (const ProjectorInfo* info : projectors_on(backend.name())) {
    if (info->studied || !info->make) continue;
    for (const CtCase& c : awkward_cases())
      for (const Precision precision : info->precisions)
        for (const Packing packing : info->packings) {
          const CtOptions options{info->model, precision, packing};
          INFO(name(info->model) << " " << name(precision) << " " << name(packing) << ", " << c.name);
          std::string reason;
          try {
            static_cast<void>(backend.make_ct(c.grid, c.scan, options));
          } catch (const Unsupported& error) {
            reason = error.what();
          }
          CHECK(backend.supports(c.grid, c.scan, options).reason == reason);
          refused += !reason.empty();
        }
  }
  return refused;
}

/// Checks all of the device's descriptors; returns their number.
inline int check_descriptors(Backend& backend) {
  int checked = 0;
  for (const ProjectorInfo* info : projectors_on(backend.name())) {
    if (info->studied) continue;
    INFO(name(info->model));
    ++checked;
    if (info->make)
      check_ct(backend, *info);
    else if (info->make_emission)
      check_emission(backend, *info);
    else if (info->make_lines)
      check_lines(backend, *info);
    else
      check_in_place(backend, *info);
  }
  return checked;
}

}  // namespace backlit::test
