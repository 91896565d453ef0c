// From a scan file to a volume and a report, as every program goes there.
#include <catch2/catch.hpp>

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/data/metrics.hpp>
#include <backlit/geometry/default_grid.hpp>
#include <backlit/recon/default_method.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include <backlit/recon/methods/sirt.hpp>
#include <backlit/recon/session.hpp>
#include "support/io/counts_scan.hpp"
#include "support/scratch.hpp"

using namespace backlit;

namespace {

SessionOptions on_cpu(PreparationOptions preparation = {}) {
  SessionOptions options;
  options.preparation = preparation;
  options.device.backend = "cpu";
  options.grid.voxel = Vec3(9);
  return options;
}

bool same_values(const Volume& a, const Volume& b) {
  return a.grid == b.grid && std::ranges::equal(a.values.span(), b.values.span());
}

/// Counts how often it is read.
struct Counted final : ProjectionSource {
  explicit Counted(Projections p) : views(std::move(p)) {}
  const Scan& scan() const override { return views.scan(); }
  void read(std::int64_t first, std::int64_t count, std::span<float> out) override {
    read_views += count;
    views.read(first, count, out);
  }
  MemorySource views;
  std::int64_t read_views = 0;
};

Projections disc(std::int64_t views, std::int64_t columns = 40) {
  const Detector d{columns, 1, 1, 1, Detector::Shape::flat, 0};
  Projections p(Scan{d, parallel_views(d, equal_angles(views, 0, 180))});
  project_phantom(scaled(load_phantom("water-cylinder"), 0.15), p.scan, 0, views, 1, p.values.span());
  return p;
}

}  // namespace

TEST_CASE("A session corrects counts, finds the axis and reports both", "[session]") {
  const test::Scratch folder;
  const auto file = test::save_counts_scan(folder.path());
  Session session = Session::open(file, on_cpu({.center = CenterOption::Kind::find}));
  CHECK(session.report().dead_pixels == test::counts_scan_dead);
  CHECK(session.report().center_px == Approx(test::counts_scan_center).margin(0.2));
  CHECK(session.report().center_from.starts_with("found by "));
  CHECK(center_of(session.scan()) == Approx(session.report().center_px));
  CHECK(session.report().backend.empty());

  const SessionResult found = session.run();
  CHECK(found.report.replaced_readings == test::counts_scan_low);
  CHECK(found.report.backend == "cpu");
  CHECK(found.report.backend_from == "as asked for");
  CHECK(found.report.views == 90);
  CHECK(found.report.method.name() == "fdk");
  CHECK(found.report.grid == found.volume.grid);
  CHECK(found.report.grid_from == "voxels as asked for, the box is what every view sees");
  CHECK(found.report.seconds.at("total") > 0);
  CHECK(repairs_text(found.report) == "3 readings at or below dark were replaced; 2 dead pixels interpolated");

  // A column that is given is as good as one that is found.
  Session given = Session::open(file, on_cpu({.center = session.report().center_px}));
  CHECK(same_values(given.run().volume, found.volume));
  // The file's own is 2.3 columns off, which blurs.
  session.change(on_cpu());
  CHECK(session.report().center_px == 30);
  const Volume blurred = session.run().volume;
  CHECK_FALSE(same_values(blurred, found.volume));
}

TEST_CASE("Rays of counts are weighed by their transmission, others where it is asked for", "[session]") {
  const test::Scratch folder;
  const Session counts = Session::open(test::save_counts_scan(folder.path()), on_cpu()),
                lines(std::make_shared<MemorySource>(disc(12)), on_cpu());
  ScanFile clinical;
  clinical.projections = std::make_shared<MemorySource>(disc(12));
  clinical.scan = clinical.projections->scan();
  clinical.photons.assign(12 * 40, 1000.0f);
  const Session photons(clinical, on_cpu());
  const auto taken = [](const Session& session, Method method) { return session.completed(method).text("weights"); };
  CHECK(taken(counts, Method("pwls")) == "transmission");
  CHECK(taken(photons, Method("pwls")) == "transmission");
  CHECK(taken(lines, Method("pwls")) == "none");
  Method none("pwls");
  none.set("weights", "none");
  CHECK(taken(counts, none) == "none");
  CHECK(photons.completed(Method("pwls")).get<PwlsOptions>()->photons->size() == 12 * 40);
}

TEST_CASE("The default volume is that of the scan with its axis", "[session]") {
  const auto source = std::make_shared<MemorySource>(disc(90));
  Session session(source);
  CHECK(session.grid() == default_grid(source->scan()));
  CHECK(session.report().grid_from == "what every view sees");
  session.change({.preparation = {.center = 12.0}});
  CHECK(session.grid() == default_grid(with_center(source->scan(), 12)));
  CHECK(session.grid().size[0] < default_grid(source->scan()).size[0]);
}

TEST_CASE("What is changed is done anew, and nothing else", "[session]") {
  const auto source = std::make_shared<Counted>(disc(48));
  Session session(source);
  CHECK(source->read_views == 0);
  const auto measured = session.measured();
  session.change({.preparation = {.center = CenterOption::Kind::find}});
  const std::int64_t found = source->read_views;
  CHECK(found == 48);
  session.change({.preparation = {.center = 20.0}});
  session.change({.preparation = {.center = CenterOption::Kind::find}, .grid = {.size = {9, 9, 1}}});
  CHECK(source->read_views == found);
  CHECK(session.measured() == measured);
  session.change({.preparation = {.corrections = {.stripes = 5}}});
  CHECK(source->read_views == found + 48);
  CHECK(session.measured() != measured);
  CHECK(session.report().corrected_on == std::vector<std::string>{"host"});

  session.change({.preparation = {.views = {4, 40, 3}}});
  CHECK(session.scan().view_count() == 12);
  CHECK(session.projections()->scan().views == session.scan().views);
  // A change that is refused changes nothing.
  CHECK_THROWS_WITH(session.change({.preparation = {.views = {0, 49, 1}}}), Catch::Contains("views"));
  CHECK_THROWS_WITH(session.change({.preparation = {.center = 500.0}}), Catch::StartsWith("center: column 500"));
  CHECK_THROWS_WITH(session.change({.preparation = {.corrections = {.stripes = 4}}}), Catch::StartsWith("stripes: 4"));
  CHECK(session.scan().view_count() == 12);
  CHECK(session.options().preparation.views == ViewRange{4, 40, 3});
}

TEST_CASE("A finished run hands over its volume slice by slice, as it would be downloaded", "[session]") {
  SirtOptions sirt;
  sirt.iterations = 1;
  Session session(std::make_shared<MemorySource>(disc(24)),
                  {.grid = {.size = {1100, 1000, 4}, .voxel = {0.02, 0.02, 0.5}}, .device = {.backend = "cpu"}});
  for (const Method& method : {Method(FdkOptions{}), Method(sirt)}) {
    INFO(method.name());
    const auto run = session.start(method);
    run->finish();
    const Volume whole = run->download();
    std::vector<float> given;
    std::vector<std::int64_t> firsts;
    REQUIRE(run->download_slices([&](std::int64_t first, std::span<float> slices) {
      firsts.push_back(first);
      given.insert(given.end(), slices.begin(), slices.end());
      std::ranges::fill(slices, 0.0f);  // the memory is the taker's until it returns
    }));
    CHECK(firsts == std::vector<std::int64_t>{0, 3});  // 16 MiB at a time
    CHECK(std::ranges::equal(given, whole.values.span()));
    CHECK(run->report().seconds.at("download") > 0);
  }
}

TEST_CASE("A session's run is stepped, watched and stopped", "[session]") {
  SirtOptions sirt;
  sirt.iterations = 3;
  Session session(std::make_shared<MemorySource>(disc(24)),
                  {.grid = {.size = {20, 20, 1}}, .device = {.backend = "cpu"}});
  const SessionResult whole = session.run(sirt);
  CHECK(whole.report.residuals.size() == 3);
  CHECK(whole.report.residuals.back() < whole.report.residuals.front());

  auto run = session.start(sirt);
  session.change({});  // what runs keeps what it has
  while (run->step() != Reconstruction::Status::finished) {
  }
  CHECK(same_values(run->download(), whole.volume));
  CHECK(run->report().residuals == whole.report.residuals);
  CHECK(run->report().views == 24);

  struct Stages final : Progress {
    std::vector<std::string> names;
    std::int64_t done = 0;
    void begin(std::string_view stage, std::int64_t, std::string_view) override { names.emplace_back(stage); }
    void advance(std::int64_t items) override { done += items; }
  } stages;
  CancelToken cancel;
  session.run(sirt, Watch(stages, cancel));
  CHECK(std::ranges::count(stages.names, "iterate") == 1);
  CHECK(stages.done >= 72);
  cancel.request();
  CHECK_THROWS_AS(session.run(sirt, Watch(stages, cancel)), Cancelled);
}

TEST_CASE("A helix is reconstructed by hfdk where no method is named and hfdk takes it", "[session]") {
  const Detector d{31, 5, 3, 3};
  const auto session = [&](double pitch, std::int64_t views) {
    Projections p(Scan{d, helical_views(d, equal_angles(views, 0, 720), 200, 300, pitch, -pitch)});
    return Session(std::make_shared<MemorySource>(std::move(p)), on_cpu());
  };
  Session helix = session(6, 40), circle = session(0, 40), bent = session(6, 41);
  const SessionReport chosen = helix.run().report, usual = circle.run().report;
  CHECK(chosen.method.name() == "hfdk");
  CHECK(chosen.method_from == "the trajectory is a helix");
  CHECK(usual.method.name() == "fdk");
  CHECK(usual.method_from.empty());
  CHECK_THROWS_WITH(helix.run("fdk"), Catch::Contains("the source leaves its plane"));  // a named method is kept
  CHECK(helix.run(SirtOptions{}).report.method_from.empty());
  CHECK_THROWS_WITH(bent.run(), Catch::Contains("`method` hfdk does not take it (a turn has 20.500 views)") &&
                                    Catch::Contains("use `method` sirt or cgls"));
  FilterOptions force;
  force.force = true;
  CHECK(default_method(helix.scan(), force).name == "fdk");
}

TEST_CASE("A session says what to expect, and what it cannot do", "[session]") {
  Session few(std::make_shared<MemorySource>(disc(9, 40)), on_cpu());
  const auto advice = few.advice(FdkOptions{});
  REQUIRE(advice.size() == 1);
  CHECK_THAT(advice[0], Catch::StartsWith("9 views of 40 columns are too few for FDK") && Catch::Contains("`method`"));
  CHECK(few.advice(SirtOptions{}).empty());
  CHECK(few.run().report.warnings == advice);
  CHECK_FALSE(Session(std::make_shared<MemorySource>(disc(60, 12)), on_cpu()).advice(FdkOptions{}).empty());

  ScanFile geometry;
  geometry.path = "g.scan.toml";
  geometry.scan = disc(9).scan;
  Session none(geometry);
  CHECK(none.projections() == nullptr);
  CHECK(none.grid() == default_grid(geometry.scan));
  CHECK_THROWS_WITH(none.run(), Catch::StartsWith("g.scan.toml: has no [data]"));
  CHECK_THROWS_WITH(none.found_center(), Catch::StartsWith("center: finding it takes projections"));

  // Rays along the axis determine no volume: it is asked for when it is needed, and may be given.
  ScanFile along = geometry;
  for (View& v : along.scan.views) v.direction = {0, 0, -1};
  Session blind(along);
  CHECK_THROWS_WITH(blind.grid(), Catch::Contains("default volume"));
  blind.change({.grid = {.size = {4, 5, 6}, .voxel = Vec3(2)}});
  CHECK(blind.grid() == VolumeGrid{{4, 5, 6}, Vec3(2), Vec3(0)});
}

TEST_CASE("Options of a session are written and read by name", "[session]") {
  PreparationOptions p;
  Parameters list = describe(p);
  CHECK(find_parameter(list, "center").text().empty());
  find_parameter(list, "center").set("find");
  CHECK(p.center.kind == CenterOption::Kind::find);
  find_parameter(list, "center").set("295.9");
  CHECK(p.center == CenterOption(295.9));
  CHECK(find_parameter(list, "center").text() == "295.9");
  find_parameter(list, "views").set("0:180:6");
  CHECK(p.views == ViewRange{0, 180, 6});
  CHECK(find_parameter(list, "views").text() == "0:180:6");
  CHECK_THROWS_WITH(find_parameter(list, "center").set("middle"), Catch::StartsWith("center: 'middle' is neither"));
  CHECK_THROWS_WITH(find_parameter(list, "views").set("5"), Catch::StartsWith("views: '5' is not FIRST:END"));
  CHECK_THROWS_WITH(find_parameter(list, "views").set("5:5"), Catch::StartsWith("views: '5:5' selects nothing"));
  Parameters corrections = describe(p.corrections);
  CHECK_THROWS_AS(find_parameter(corrections, "stripes").set("-3"), InputError);

  DeviceOptions device;
  Parameters devices = describe(device);
  find_parameter(devices, "device").set("1,0");
  find_parameter(devices, "gpu_memory").set("2M");
  CHECK(device.devices == std::vector<std::int64_t>{1, 0});
  CHECK(backend_options(device).device == 1);
  CHECK(backend_options(device).further_devices == std::vector<std::int64_t>{0});
  CHECK(backend_options(device).memory_bytes == 2 << 20);
  for (const char* wrong : {"x", "1,", "-1", "1,,2"})
    CHECK_THROWS_AS(find_parameter(devices, "device").set(wrong), InputError);
  find_parameter(devices, "device").set("1,1");
  CHECK_THROWS_WITH(backend_options(device), Catch::StartsWith("device: a device is named twice"));
  find_parameter(devices, "device").set("0");
  find_parameter(devices, "backend").set("cpu");
  CHECK_THROWS_WITH(backend_options(device), Catch::StartsWith("device: the cpu is one device"));
}

TEST_CASE("Corrections of a scan file are made, replaced one by one, and left out", "[session]") {
  ScanFile file;
  Projections p = disc(48);
  for (std::int64_t v = 0; v < 48; ++v)
    for (std::int64_t c = 0; c < 40; ++c) p.at(v, 0, c) += 0.2f * static_cast<float>((c * 37) % 11 - 5) / 5;
  file.scan = p.scan;
  file.projections = std::make_shared<MemorySource>(std::move(p));
  file.corrections = {.zingers = 9, .stripes = 5};
  Session session(file);
  CHECK(session.corrections() == file.corrections);
  CHECK(session.report().corrections.size() == 2);
  session.change({.preparation = {.corrections = {.stripes = 7}}});
  CHECK(session.corrections() == CorrectionOptions{.zingers = 9, .stripes = 7});
  session.change({.preparation = {.correct = CorrectionSource::none}});
  CHECK(session.corrections() == CorrectionOptions{});
  CHECK(session.report().corrections.empty());
  CHECK(session.measured() == file.projections);
  session.change({.preparation = {.correct = CorrectionSource::automatic}});
  CHECK(session.corrections().stripes > 0);
  CHECK(session.corrections().zingers == 0);
  CHECK(session.report().faults.size() == 6);
}

TEST_CASE("Rows that the detector cuts off are continued by FDK as its own pad would, and other methods say so",
          "[session]") {
  const auto views = std::make_shared<MemorySource>(disc(60, 24));  // of 30 mm on 24
  const auto made = [&](double truncation, double pad, const std::string& method) {
    Method chosen(method);
    if (pad > 0) chosen.set("pad", std::to_string(pad));
    if (chosen.has("iterations")) chosen.set("iterations", "1");
    SessionOptions options = on_cpu({.corrections = {.truncation = truncation}});
    options.grid.voxel = Vec3(1);
    return Session(views, options).run(chosen);
  };
  const SessionResult plain = made(0, 0, "fdk"), continued = made(0.1, 0, "fdk");
  CHECK(same_values(continued.volume, made(0, 0.1, "fdk").volume));
  CHECK(same_values(made(0.3, 0.1, "fdk").volume, continued.volume));
  const auto error = [](const Volume& v) {
    double sum = 0;
    for (std::int64_t y = 0; y < v.grid.size[1]; ++y)
      for (std::int64_t x = 0; x < v.grid.size[0]; ++x)
        if (glm::length(v.grid.voxel_center(x, y, 0)) < 11) sum += std::abs(static_cast<double>(v.at(x, y, 0)) - 0.02);
    return sum;
  };
  CHECK(error(continued.volume) < 0.5 * error(plain.volume));
  const auto warned = [](const SessionResult& r, const char* words) {
    return std::ranges::any_of(r.report.warnings,
                               [&](const std::string& w) { return w.find(words) != std::string::npos; });
  };
  CHECK(warned(plain, "cut off"));
  CHECK_FALSE(warned(continued, "cut off"));
  CHECK(warned(made(0.1, 0, "sirt"), "sirt does not continue rows"));
}
