// PET lists in the viewer: opening, live images, parameters.
#include <cmath>
#include <fstream>

#include <backlit/device/backend.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/volumes/volume_file.hpp>
#include <backlit/pet/simulate.hpp>
#include <backlit/phantom/phantom.hpp>
#include "model/sources/list_source.hpp"
#include "model/values/point_sampler.hpp"
#include "support/failing_backend.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;
using test::Windowless;

namespace list_mode_test {
namespace {

Scanner ring(double tof_fwhm_ps) {
  RingLayout layout;
  layout.modules = 36;
  layout.module_crystals = 3;
  layout.module_rings = 4;
  layout.face_radius_mm = 80;
  layout.pitch_mm = 4;
  layout.ring_spacing_mm = 4;
  layout.layers_mm = {20};
  Scanner scanner = make_ring_scanner("test ring", layout, {.min_angle_deg = 120, .max_axial_mm = 1e9}, "test");
  scanner.tof_fwhm_ps = tof_fwhm_ps;
  return scanner;
}

/// A file with a list of events of a ball of 12 mm at (10, 0, 0).
std::string small_list(const std::filesystem::path& folder, double calibration = 1) {
  const auto phantom = folder / "ball.phantom.toml";
  std::ofstream(phantom) << "name = \"ball\"\n[[body]]\nshape = \"sphere\"\nradius = 6\nvalue = 1\nat = [[10, 0, 0]]\n";
  const Scanner scanner = ring(300);
  ListModeSimulation simulation;
  simulation.counts = 20000;
  simulation.random_fraction = 0.2;
  ListModeInfo info = simulated_info(scanner, simulation);
  info.calibration = calibration;
  const auto writer = create_list_mode(folder / "ball.cdh", scanner, info);
  simulate_list_mode(scanner, load_phantom(phantom.string()), nullptr, simulation,
                     [&](const EventList& events) { writer->write(events); });
  writer->commit();
  return (folder / "ball.cdh").string();
}

std::string last_error(const viewer::Model& m) { return m.status().errors.empty() ? "" : m.status().errors.back(); }

double total(Windowless& w) {
  double sum = 0;
  for (const float v : w.model.values_at(spread_points(w.model.status().grid, 1 << 20))) sum += v;
  return sum;
}

}  // namespace

TEST_CASE("A list opens, says what it holds, and its image comes subset by subset") {
  Windowless w;
  const std::string list = small_list(w.folder.path());
  w.act("set pet.subsets 5");
  w.act("set pet.iterations 3");
  w.act("open " + list);
  REQUIRE(w.settle());
  const Status& s = w.model.status();
  INFO(last_error(w.model));
  REQUIRE(s.errors.empty());
  REQUIRE(w.model.list_mode());
  CHECK(s.source->kind == SourceInfo::Kind::list_mode);
  const ListFacts& facts = *s.source->list;
  CHECK(facts.summary.counts.prompts == 20000);
  CHECK(facts.info.tof_fwhm_ps == 300);
  CHECK(facts.summary.mean_random_rate > 0);
  CHECK(facts.crystals == 36 * 3 * 4);
  CHECK(facts.absolute);
  CHECK(w.model.recent().front() == list);
  CHECK(s.runs == 1);
  CHECK(s.finished.complete);
  CHECK(s.generation == 15);  // every subset of every iteration was shown
  REQUIRE(s.residuals.size() == 3);
  CHECK(s.residuals[1] > s.residuals[0]);
  CHECK(s.residuals[2] > s.residuals[1]);
  CHECK(s.throughput.back().views == 60000);
  CHECK(w.model.value_at(Vec3(10, 0, 0)) > 20 * w.model.value_at(Vec3(-10, 0, 0)));

  // Equal to the result of the engine alone.
  ListModeFile file = load_list_mode(list);
  const auto backend = make_backend("cpu", {});
  PetOptions options = w.model.state().pet.options;
  PetProblem problem(backend->innermost(), std::move(file.events), file.scanner, s.grid, options, nullptr);
  const auto em = problem.reconstruction();
  while (em->step() != Reconstruction::Status::finished) {
  }
  const Volume alone = em->download();
  double difference = 0, sum = 0;
  for (std::int64_t k = 0; k < s.grid.size[2]; k += 2)
    for (std::int64_t i = 0; i < s.grid.size[0]; ++i) {
      const float seen = w.model.value_at(s.grid.voxel_center(i, s.grid.size[1] / 2, k));
      difference += std::abs(seen - alone.at(i, s.grid.size[1] / 2, k));
      sum += seen;
    }
  CHECK(difference < 0.01 * sum);
}

TEST_CASE("The first picture of a large image is a quick one from few events, which the run replaces") {
  Windowless w;
  w.act("set pet.subsets 2");
  w.act("set pet.iterations 1");
  w.act("grid 60 60 20");
  w.act("open " + small_list(w.folder.path()));
  const Status& s = w.model.status();
  REQUIRE(w.until([&] { return s.generation == 1; }));
  CHECK(s.preview);
  CHECK(s.grid.voxels() <= 33'000);
  const VolumeGrid coarse = s.grid;
  const double hot = w.model.value_at(Vec3(10, 0, 0));
  CHECK(hot > 10 * w.model.value_at(Vec3(-10, 0, 0)));
  REQUIRE(w.settle());
  INFO(last_error(w.model));
  REQUIRE(s.errors.empty());
  CHECK(!s.preview);
  CHECK(s.generation == 3);
  CHECK(s.grid.size == Size3{60, 60, 20});
  CHECK(glm::distance(s.grid.lower(), coarse.lower()) < 1e-6);
  CHECK(glm::distance(s.grid.upper(), coarse.upper()) < 1e-6);
  CHECK(w.model.value_at(Vec3(10, 0, 0)) == Approx(hot).epsilon(0.7));
  w.act("reconstruct");  // a picture is there already
  REQUIRE(w.settle());
  CHECK(s.generation == 5);
}

TEST_CASE("The image of a list whose device is lost is finished by another backend") {
  test::FailingBackend device;
  Windowless w;
  w.act("set pet.subsets 5");
  w.act("set pet.iterations 2");
  w.act("set backend fake");
  w.act("set on_failure gl");
  w.act("open " + small_list(w.folder.path()));
  REQUIRE(w.settle());
  const double whole = total(w);
  const int calls = device.calls();
  REQUIRE(calls > 10);
  CHECK(w.model.status().errors.empty());
  device.fail_from(calls * 3 / 4);
  w.act("reconstruct");
  REQUIRE(w.settle());
  CHECK_THAT(last_error(w.model), Contains("going on with gl from the beginning"));
  CHECK(w.model.status().finished.complete);
  CHECK(w.model.status().started.backend == "gl");
  CHECK(total(w) == Approx(whole).epsilon(0.01));
}

TEST_CASE("List mode is paused, stepped, finished early and cancelled, its parameters make another image") {
  Windowless w;
  const std::string list = small_list(w.folder.path());
  w.act("set pet.subsets 4");
  w.act("set pet.iterations 100000");
  w.act("open " + list);
  REQUIRE(w.until([&] { return w.model.status().residuals.size() >= 2; }));
  w.act("pause");
  REQUIRE(w.until([&] { return w.model.worker().idle(); }));
  const std::int64_t paused = w.model.status().generation;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  w.model.update();
  CHECK(w.model.status().generation == paused);
  w.act("step");
  REQUIRE(w.until([&] { return w.model.status().generation == paused + 1; }));
  w.act("finish");
  REQUIRE(w.settle());
  CHECK_FALSE(w.model.status().finished.complete);
  CHECK_FALSE(w.model.status().finished.cancelled);

  w.act("set iterations 1");  // of the list, which is open
  REQUIRE(w.settle());
  CHECK(w.model.state().pet.options.iterations == 1);
  CHECK_FALSE(w.model.state().recon.method.has("iterations"));
  CHECK(w.model.status().finished.complete);
  const float sharp = w.model.value_at(Vec3(10, 0, 0));
  w.act("set post_filter 15");
  REQUIRE(w.settle());
  CHECK(w.model.value_at(Vec3(10, 0, 0)) < 0.7f * sharp);
  w.act("set post_filter 0");
  w.act("attenuation water-cylinder");
  REQUIRE(w.settle());
  INFO(last_error(w.model));
  CHECK(w.model.status().errors.empty());
  CHECK(w.model.value_at(Vec3(10, 0, 0)) > 1.2f * sharp);  // attenuation is corrected
  w.act("grid 20 20 4");
  REQUIRE(w.settle());
  CHECK(w.model.status().grid.size == Size3{20, 20, 4});

  w.act("set iterations 100000");
  REQUIRE(w.until([&] { return w.model.status().running && w.model.status().residuals.size() > 1; }));
  w.act("cancel");
  REQUIRE(w.settle());
  CHECK(w.model.status().finished.cancelled);
}

TEST_CASE("An attenuation map that was moved and turned as A counts where it lies") {
  Windowless w;
  // A slab beside the ball, which stays in the image wherever it is moved here.
  Volume slab(VolumeGrid{{24, 20, 12}, {4, 4, 3}, Vec3(2, -3, 1)});
  for (std::int64_t k = 0; k < 12; ++k)
    for (std::int64_t j = 5; j < 15; ++j)
      for (std::int64_t i = 14; i < 17; ++i) slab.at(i, j, k) = 0.05f;
  save_volume(slab, w.folder / "slab.mha");
  w.act("set pet.iterations 1");
  w.act("set pet.subsets 2");
  w.act("open " + small_list(w.folder.path()));
  REQUIRE(w.settle());
  CHECK_THROWS_WITH(w.act("attenuation pinned"), Contains("pin"));
  w.act("pin file " + (w.folder / "slab.mha").string());
  REQUIRE(w.settle());
  w.act("attenuation pinned");
  REQUIRE(w.settle());
  const double there = total(w);
  w.act("set turn_z 35");
  w.act("set move_x -9");
  w.act("set move_z 4");
  REQUIRE(w.settle());
  CHECK(total(w) == Approx(there));  // the map stays until it is taken again
  w.act("attenuation pinned");
  REQUIRE(w.settle());
  const double moved = total(w);
  CHECK(std::abs(moved / there - 1) > 0.02);
  // The same as the map that is written as A lies, on the voxels of the image.
  w.act("grid 50 50 24");
  REQUIRE(w.settle());
  w.act("export pinned " + (w.folder / "lies.mha").string());
  REQUIRE(w.settle());
  w.act("attenuation pinned");
  REQUIRE(w.settle());
  const double turned = total(w);
  w.act("attenuation " + (w.folder / "lies.mha").string());
  REQUIRE(w.settle());
  CHECK(w.model.state().pet.attenuation_turn == Vec3(0));
  CHECK(total(w) == Approx(turned).epsilon(0.02));
  INFO(last_error(w.model));
  CHECK(w.model.status().errors.empty());
}

TEST_CASE("What is wrong with a list is a line, and the scanner can be named after") {
  Windowless w;
  const std::string list = small_list(w.folder.path());
  std::filesystem::rename(w.folder / "ball.hscan", w.folder / "moved.hscan");
  w.act("open " + list);
  REQUIRE(w.settle());
  CHECK_THAT(last_error(w.model), Contains("ball.cdh"));
  CHECK_FALSE(w.model.status().source);
  w.act("dismiss");
  std::filesystem::rename(w.folder / "ball.lut", w.folder / "moved.lut");
  w.act("set pet.iterations 1");
  w.act("scanner " + (w.folder / "moved.hscan").string());  // reads the list again
  REQUIRE(w.settle());
  INFO(last_error(w.model));
  REQUIRE(w.model.list_mode());
  CHECK(w.model.status().runs == 1);
  w.act("attenuation none-such.mha");
  REQUIRE(w.settle());
  CHECK_THAT(last_error(w.model), Contains("none-such.mha"));
  CHECK(w.model.value_at(Vec3(10, 0, 0)) > 0);  // the previous volume stays
  w.act("dismiss");
  w.act("attenuation none");
  w.act("set subsets 30000");
  REQUIRE(w.settle());
  CHECK_THAT(last_error(w.model), Contains("30000 subsets of 20000 events"));
}

TEST_CASE("A list's calibration counts in what is shown and in what is exported") {
  Windowless w;
  w.act("set pet.iterations 1");
  w.act("open " + small_list(w.folder.path()));
  REQUIRE(w.settle());
  const double plain = total(w);
  w.act("open " + small_list(w.folder.path(), 3));
  REQUIRE(w.settle());
  CHECK(total(w) == Approx(3 * plain).epsilon(1e-3));
  w.act("export volume " + (w.folder / "image.mha").string());
  REQUIRE(w.settle());
  const Volume image = load_volume(w.folder / "image.mha");
  const VolumeGrid& shown = w.model.status().grid;
  REQUIRE(image.grid.size == shown.size);
  CHECK(glm::distance(image.grid.center, shown.center) < 1e-6);
  CHECK(w.model.value_at(shown.voxel_center(12, 9, 2)) == Approx(image.at(12, 9, 2)));
  w.act("save session " + (w.folder / "it.toml").string());
  w.act("open demo:spheres");
  REQUIRE(w.settle());
  CHECK_FALSE(w.model.list_mode());
  w.act("load session " + (w.folder / "it.toml").string());
  REQUIRE(w.settle());
  CHECK(w.model.list_mode());
  CHECK(w.model.state().pet.options.iterations == 1);
  CHECK(total(w) == Approx(3 * plain).epsilon(1e-3));
}

TEST_CASE("The example of PET is simulated on the spot") {
  const Source source = open_source(list_demo, {}, {});
  REQUIRE(source.list);
  CHECK(source.info->list->summary.counts.prompts == 200000);
  CHECK(source.info->list->info.has_tof());
  CHECK(source.info->can_run());
  CHECK_FALSE(source.info->has_views);
}

}  // namespace list_mode_test
