// Every way to backproject against double precision, fragments that die early counted, and what excludes each other.
#include <array>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include "geometry/make_view_map.hpp"
#include "study/bench/bench_data.hpp"
#include "study/variants/gl_variants.hpp"
#include "support/gl/backproject_support.hpp"

using Catch::Matchers::Contains;

namespace backlit::gl {
namespace {

/// Odd or not cubic, curved, tilted, offset, parallel; the last can be packed by quarter turns.
std::vector<Case> several() {
  const auto all = cases();
  const Detector d{41, 29, 1.5, 1.25};
  const VolumeGrid square{{23, 23, 14}, {1.1, 1.1, 0.9}, {0, 0, 0}};
  return {
      all[0], all[2], all[5], all[11], {"quarter turns", square, {d, circular_views(d, equal_angles(12, 7), 60, 90)}}};
}

bool has_quarter_turns(const Case& c) { return c.name.starts_with("quarter turns"); }

bool between_pixels(double position) { return std::abs(position - std::floor(position) - 0.5) < 1e-4; }

/// Backprojection in double of the nearest pixels; `tied` gets the voxels that some view sees half way between two.
std::vector<float> nearest_reference(const Case& c, const std::vector<float>& projections, std::vector<bool>& tied) {
  tied.assign(static_cast<std::size_t>(c.grid.voxels()), false);
  std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
  const Detector& d = c.scan.detector;
  for (std::size_t v = 0; v < c.scan.views.size(); ++v) {
    const auto map = in_voxels(make_view_map(d, c.scan.views[v]), c.grid.first_voxel(), c.grid.spacing);
    for (std::int64_t n = 0; n < c.grid.voxels(); ++n) {
      DetectorPosition<double> at;
      const std::int64_t nx = c.grid.size[0], ny = c.grid.size[1];
      if (!project_voxel(map, n % nx, n / nx % ny, n / (nx * ny), at)) continue;
      if (between_pixels(at.column) || between_pixels(at.row)) tied[static_cast<std::size_t>(n)] = true;
      const double column = std::floor(at.column + 0.5), row = std::floor(at.row + 0.5);
      if (column < 0 || row < 0 || column >= static_cast<double>(d.columns) || row >= static_cast<double>(d.rows))
        continue;
      const double ratio = axis_distance(c.scan.views[v]) / at.depth;
      const bool parallel = c.scan.beam() == Beam::parallel;
      const auto pixel = static_cast<std::int64_t>(v) * d.pixels() + static_cast<std::int64_t>(row) * d.columns +
                         static_cast<std::int64_t>(column);
      volume[static_cast<std::size_t>(n)] +=
          static_cast<float>((parallel ? 1 : ratio * ratio) * projections[static_cast<std::size_t>(pixel)]);
    }
  }
  return volume;
}

/// What kill leaves out: voxels outside the circle that all columns cover, and those that no view sees.
std::vector<bool> killed_voxels(const Case& c) {
  const double radius = field_of_view_radius(c.scan);
  std::vector<ViewMap<double>> maps;
  for (const View& view : c.scan.views)
    maps.push_back(in_voxels(make_view_map(c.scan.detector, view), c.grid.first_voxel(), c.grid.spacing));
  std::vector<bool> killed;
  for (std::int64_t k = 0; k < c.grid.size[2]; ++k)
    for (std::int64_t j = 0; j < c.grid.size[1]; ++j)
      for (std::int64_t i = 0; i < c.grid.size[0]; ++i) {
        const Vec3 p = c.grid.voxel_center(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
        const bool seen = std::ranges::any_of(maps, [&](const auto& map) {
          DetectorPosition<double> at;
          return project_voxel(map, i, j, k, at) && at.column > -1 && at.row > -1 &&
                 at.column < static_cast<double>(c.scan.detector.columns) &&
                 at.row < static_cast<double>(c.scan.detector.rows);
        });
        killed.push_back(std::hypot(p.x, p.y) > radius || !seen);
      }
  return killed;
}

/// The same voxels so far apart that kill leaves out half of them.
Case beyond_the_beam(Case c) {
  c.name += ", beyond the beam";
  while (std::ranges::count(killed_voxels(c), true) < c.grid.voxels() / 2) c.grid.spacing *= 1.1;
  return c;
}

/// What the backend lists, and other combinations that it takes.
std::vector<CtOptions> with_combinations(std::vector<CtOptions> variants) {
  const auto add = [&](Precision precision, Packing packing, const char* variant) {
    variants.push_back({Model::voxel_driven, precision, packing, Weighting::fdk, variant});
  };
  for (const char* variant : {"accumulate=ping_pong", "interpolation=nearest", "target=slice", "kill=stencil"})
    for (const Precision precision : {Precision::fast, Precision::half}) add(precision, Packing::slices, variant);
  for (const char* variant : {"kill=stencil", "kill=early_z", "accumulate=ping_pong", "target=slice,views=5",
                              "transform=fragment,accumulate=loop,target=image", "transform=fragment,target=image"})
    for (const Precision precision : {Precision::exact, Precision::half}) add(precision, Packing::none, variant);
  return variants;
}

TEST_CASE("Every variant that has a name gives the volume of double precision") {
  GlBackend backend(test_context());
  std::size_t made = 0, refused = 0;
  std::vector<Case> all = several();
  for (const std::size_t n : {0, 4}) all.push_back(beyond_the_beam(all[n]));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Case& c = all[k];
    const auto projections = random_projections(c.scan);
    const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
    std::vector<bool> tied;
    const auto nearest = nearest_reference(c, projections, tied);
    REQUIRE(std::ranges::count(tied, false) > c.grid.voxels() / 2);
    const auto cpu = make_backend("cpu");
    const CtOptions in_double{.weighting = Weighting::fdk, .variant = "interpolation=nearest"};
    auto same = backproject(*cpu, c, projections, in_double);
    for (std::size_t i = 0; i < same.size(); ++i)
      if (tied[i]) same[i] = nearest[i];
    CHECK(relative_l2(same, nearest) < 1e-6);
    const auto killed = killed_voxels(c);
    std::size_t number = 0;
    for (const CtOptions& o : with_combinations(backend.variants(Model::voxel_driven))) {
      const bool kills = o.variant.find("kill") != std::string::npos;
      // Shaders take long to compile: each variant meets every third scan, in turn.
      if (number++ % 3 != k % 3 && o.packing != Packing::orbit && !kills) continue;
      INFO(c.name << ", " << name(o.precision) << ", " << name(o.packing) << ", " << o.variant);
      if (o.packing == Packing::orbit && !has_quarter_turns(c)) {
        CHECK_THROWS_WITH(backend.make_ct(c.grid, c.scan, o), Contains("packing orbit"));
        ++refused;
        continue;
      }
      const bool box = o.variant.find("nearest") != std::string::npos;
      auto right = box ? nearest : truth, volume = backproject(backend, c, projections, o);
      if (box)
        for (std::size_t i = 0; i < right.size(); ++i)
          if (tied[i]) right[i] = volume[i] = 0;
      if (kills)
        for (std::size_t i = 0; i < right.size(); ++i)
          if (killed[i]) right[i] = 0;
      const double limit = o.precision == Precision::exact ? 1e-5 : o.precision == Precision::fast ? 1e-3 : 2e-3;
      CHECK(relative_l2(volume, right) < limit);
      ++made;
    }
    backend.context().check();
  }
  CHECK(made > 100);
  CHECK(refused == 70);
}

TEST_CASE("Every variant gives a water-scaled head in Hounsfield units") {
  GlBackend backend(test_context());
  const Detector d{96, 64, 5, 5};
  const BenchCase c{
      "head", "", {{32, 32, 12}, {7.5, 7.5, 7.5}, {0, 0, 0}}, {d, circular_views(d, equal_angles(24, 4), 1000, 1500)}};
  const BenchData data = head_views(c);
  std::vector<bool> tied;
  const auto nearest = nearest_reference({c.name, c.grid, c.scan}, {data.views.begin(), data.views.end()}, tied);
  VoxelSample boxes;
  for (const std::int64_t n : data.middle.voxels)
    if (const auto at = static_cast<std::size_t>(n); !tied[at]) {
      boxes.voxels.push_back(n);
      boxes.values.push_back(nearest[at]);
    }
  REQUIRE(boxes.voxels.size() > data.middle.voxels.size() / 2);
  for (CtOptions o : backend.variants(Model::voxel_driven)) {
    const auto ct = backend.make_ct(c.grid, c.scan, o);
    const auto y = ct->make_range(c.scan.view_count()), x = ct->make_domain();
    backend.upload(data.views.span(), *y);
    ct->back(*y, *x, ct->all(), Write::overwrite);
    std::vector<float> volume(static_cast<std::size_t>(c.grid.voxels()));
    backend.download(*x, volume);
    const bool box = o.variant.find("nearest") != std::string::npos;
    const double error = rmse_hu(box ? boxes : data.middle, volume);
    INFO(ct->variant() << ": " << error << " HU");
    CHECK(error < (o.precision == Precision::exact ? 0.02 : 1));
    CHECK((!box || rmse_hu(data.middle, volume) > 1));  // another interpolation
  }
  backend.context().check();
}

TEST_CASE("Variants say all of their values, and mark the course's views a pass") {
  GlBackend backend(test_context());
  const Case c = several().back();
  const auto say = [&](Precision precision, Packing packing, const char* variant) {
    return backend.make_ct(c.grid, c.scan, {Model::voxel_driven, precision, packing, Weighting::fdk, variant})
        ->variant();
  };
  CHECK(say(Precision::fast, Packing::none, "views=8") ==
        "model=voxel_driven,precision=fast,packing=none,texel=r32f,draw=slices,transform=vertex,accumulate=blend,"
        "target=layered,kill=none,interpolation=linear,views=8(course)");
  CHECK_THAT(say(Precision::half, Packing::slices, "target=image,interpolation=nearest"),
             Contains("packing=slices,texel=r16f") && Contains("accumulate=load,target=image") &&
                 Contains("interpolation=nearest"));
  CHECK_THAT(say(Precision::half, Packing::automatic, "texel=rgba16f,draw=compute"),
             Contains("packing=orbit,texel=rgba16f,draw=compute"));
  CHECK_THAT(say(Precision::fast, Packing::automatic, "texel=r32f"), Contains("packing=none,texel=r32f"));
}

TEST_CASE("Hardware computes unless asked to draw, a CPU draws unless asked to compute or slices are small") {
  const auto context = test_context();
  GlBackend backend(context);
  Case c = several().back();
  const auto packed = [&](std::int64_t side) {
    c.grid.size = {side, side, 2};
    c.grid.spacing = Vec3(20.0 / static_cast<double>(side));
    return backend.make_ct(c.grid, c.scan, {Model::voxel_driven, Precision::fast, Packing::orbit})->variant();
  };
  Limits on_cpu = query_limits();
  on_cpu.software = true;
  context->mask(on_cpu);
  CHECK_THAT(packed(190), Contains("packing=orbit") && Contains("draw=compute"));
  CHECK_THAT(packed(192), Contains("packing=orbit") && Contains("draw=slices"));
  context->mask(query_limits());
  const auto way = [&](bool software, const char* variant) {
    Limits limits = query_limits();
    limits.software = software;
    context->mask(limits);
    std::string both;
    for (const Packing packing : {Packing::none, Packing::orbit})
      both += backend.make_ct(c.grid, c.scan, {Model::voxel_driven, Precision::fast, packing, Weighting::fdk, variant})
                  ->variant() +
              " ";
    context->mask(query_limits());
    return both;
  };
  for (const char* open : {"", "interpolation=nearest"}) {
    CHECK_THAT(way(false, open), Contains("draw=compute") && !Contains("draw=slices"));
    CHECK_THAT(way(true, open), Contains("draw=slices") && !Contains("draw=compute"));
  }
  for (const char* drawn : {"views=8", "kill=early_z", "draw=slices"})
    CHECK_THAT(way(false, drawn), !Contains("draw=compute"));
  CHECK_THAT(way(true, "draw=compute"), !Contains("draw=slices"));
}

/// Of a pass over the volume: how many fragments it has without kill, and the share of them that kill leaves out. Four
/// slices a texel die together, and so do the four voxels of an orbit, one of which, in a quarter of the slice that
/// keeps the middle row and column, stands for all.
struct Fragments {
  double drawn, killed;
};
Fragments fragments_of(const Case& c, const std::vector<bool>& killed, Packing packing) {
  const std::int64_t together = packing == Packing::slices ? 4 : 1, nx = c.grid.size[0], ny = c.grid.size[1];
  const bool quarter = packing == Packing::orbit;
  Fragments f{0, 0};
  for (std::int64_t first = 0; first < c.grid.size[2]; first += together)
    for (std::int64_t j = 0; j < (quarter ? (ny + 1) / 2 : ny); ++j)
      for (std::int64_t i = 0; i < (quarter ? (nx + 1) / 2 : nx); ++i) {
        bool dead = true;
        for (std::int64_t k = first; k < std::min(first + together, c.grid.size[2]); ++k)
          dead &= killed[static_cast<std::size_t>((k * ny + j) * nx + i)];
        f.drawn += 1;
        f.killed += dead;
      }
  f.killed /= f.drawn;
  return f;
}

/// Fragments shaded for each that is alive, at most: shaders run on squares of four, and count them.
constexpr double most_shaded = 1.6;

/// What a query counts while `work` is done; Mesa does not know all of these in glCreateQueries.
template <typename Work>
double count(GLenum what, const Work& work) {
  GLuint query = 0;
  GLuint64 counted = 0;
  glGenQueries(1, &query);
  glBeginQuery(what, query);
  work();
  glEndQuery(what);
  glGetQueryObjectui64v(query, GL_QUERY_RESULT, &counted);
  glDeleteQueries(1, &query);
  return static_cast<double>(counted);
}

TEST_CASE("Fragments that are killed never reach the shader, and are counted") {
  const auto context = test_context();
  GlBackend backend(context);
  for (const Case& narrow : several()) {
    const Case c = beyond_the_beam(narrow);
    const auto killed = killed_voxels(c);
    for (const Packing packing : {Packing::none, Packing::slices, Packing::orbit})
      for (const char* kill : {"kill=stencil", "kill=early_z"}) {
        if (packing == Packing::orbit && !has_quarter_turns(c)) continue;
        INFO(c.name << ", " << name(packing) << ", " << kill);
        const Fragments fragments = fragments_of(c, killed, packing);
        REQUIRE(fragments.killed > 1 - 1 / most_shaded);  // so that shading all of them would not pass
        const CtOptions o{Model::voxel_driven, Precision::fast, packing, Weighting::fdk,
                          std::string("views=64,") + kill};
        const auto ct = backend.make_ct(c.grid, c.scan, o);
        const std::string text = ct->variant();
        REQUIRE(text.find(",killed=") != std::string::npos);
        CHECK(std::stod(text.substr(text.find(",killed=") + 8)) == Approx(fragments.killed).margin(0.002));
        const auto y = ct->make_range(c.scan.view_count()), x = ct->make_domain();
        const Subset some{0, packing == Packing::orbit ? c.scan.view_count() : 8, 1};
        const auto one_pass = [&] { ct->back(*y, *x, some, Write::overwrite); };
        const double alive = fragments.drawn * (1 - fragments.killed);
        CHECK(count(GL_SAMPLES_PASSED, one_pass) == Approx(alive).epsilon(0.002));
        // llvmpipe counts blocks of pixels that its rasteriser hands over to tests and shader in one.
        if (!GLEW_ARB_pipeline_statistics_query || context->limits().software) continue;
        const double shaded = count(GL_FRAGMENT_SHADER_INVOCATIONS_ARB, one_pass);
        CHECK(shaded <= alive * most_shaded);
        CHECK(shaded >= alive * 0.999);
      }
  }
  context->check();
}

TEST_CASE("Passes of one to 64 views give the volume of double precision") {
  GlBackend backend(test_context());
  const Detector d{23, 17, 2.5, 2.25};
  // 64 + 32 + 16 + 8 + 4 + 2 + 1 views
  const Case c{
      "many views", {{13, 11, 6}, {1.7, 1.9, 2.1}, {0, 0, 0}}, {d, circular_views(d, equal_angles(127), 60, 90)}};
  const auto projections = random_projections(c.scan);
  const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
  std::size_t number = 0;  // precisions take turns: five variants and seven lengths meet each of them often
  for (const char* draw : {"transform=vertex", "transform=fragment", "transform=vertex,accumulate=ping_pong",
                           "transform=fragment,accumulate=ping_pong", "transform=fragment,target=image"})
    for (const int views : {1, 3, 8, 16, 32, 33, 64}) {
      const Precision precision = std::array{Precision::exact, Precision::fast, Precision::half}[number++ % 3];
      const std::string variant = fmt::format("{},views={}", draw, views);
      INFO(variant << ", " << name(precision));
      const auto volume = backproject(backend, c, projections,
                                      {Model::voxel_driven, precision, Packing::none, Weighting::fdk, variant});
      const double limit = precision == Precision::exact ? 1e-5 : precision == Precision::fast ? 1e-3 : 2e-3;
      CHECK(relative_l2(volume, truth) < limit);
    }
  const auto told = [&](const char* variant) {
    return backend
        .make_ct(c.grid, c.scan, {Model::voxel_driven, Precision::fast, Packing::none, Weighting::fdk, variant})
        ->variant();
  };
  CHECK_THAT(told("transform=fragment,views=64"), Contains("views=64"));
  CHECK_THAT(told("transform=vertex,views=64"), Contains("varyings="));
  backend.context().check();
}

TEST_CASE("Values that exclude each other are refused with the way out") {
  const auto parse = [](const char* text, Precision precision = Precision::fast, bool orbit = false) {
    return parse_backprojection(text).completed(precision, orbit, BackprojectionVariant::Draw::slices);
  };
  CHECK_THROWS_WITH(parse("kill=stencil,accumulate=ping_pong"), Contains("use accumulate=blend or loop"));
  CHECK_THROWS_WITH(parse("target=image,accumulate=blend"), Contains("target=image stores past the blend unit"));
  CHECK_THROWS_WITH(parse("target=image,accumulate=ping_pong"), Contains("use accumulate=load or loop"));
  CHECK_THROWS_WITH(parse("accumulate=load"), Contains("add target=image"));
  CHECK_THROWS_WITH(parse("draw=compute,kill=early_z"), Contains("draw=compute has no fragments to kill"));
  CHECK_THROWS_WITH(parse("draw=compute,views=4"), Contains("draw=compute has no transform"));
  CHECK_THROWS_WITH(parse("texel=r16f"), Contains("texel=r16f is not what precision fast stores of single views"));
  CHECK_THROWS_WITH(parse("texel=rgba32f", Precision::half, true), Contains("that is rgba16f"));
  CHECK_THROWS_WITH(parse("target=slice", Precision::fast, true),
                    Contains("packing orbit draws with accumulate=blend or loop and target=layered"));
  CHECK_THROWS_WITH(parse("kill=maybe"), Contains("choose one of none, stencil, early_z"));
  CHECK(parse("target=image").accumulate == BackprojectionVariant::Accumulate::load);
  GlBackend backend(test_context());
  const auto all = cases();
  CHECK_THROWS_WITH(backend.make_ct(all[6].grid, all[6].scan,
                                    {Model::raycast, Precision::fast, Packing::slices, Weighting::none, ""}),
                    Contains("does not offer 'slices'"));
}

TEST_CASE("Halves keep their digits unpacked, whatever the unit of the data") {
  GlBackend backend(test_context());
  const Case c = several()[1];
  for (float scale : {1e-7f, 3e5f}) {
    auto projections = random_projections(c.scan);
    for (float& v : projections) v *= scale;
    const auto truth = expected(c, projections, Weighting::fdk, {0, c.scan.view_count(), 1});
    for (const char* variant : {"", "draw=compute", "transform=fragment,accumulate=loop"}) {
      INFO(scale << ", " << variant);
      CHECK(relative_l2(backproject(backend, c, projections,
                                    {Model::voxel_driven, Precision::half, Packing::none, Weighting::fdk, variant}),
                        truth) < 1e-3);
    }
  }
}

}  // namespace
}  // namespace backlit::gl
