// List-mode EM: its likelihood, its corrections, its subsets, and how it is stopped and resumed.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include <backlit/io/lists/normalisation_file.hpp>
#include <backlit/pet/reconstruction.hpp>
#include <backlit/projectors/blurred.hpp>
#include "device/cpu/cpu_backend.hpp"
#include "pet/pairs.hpp"
#include "support/blob_at.hpp"
#include "support/io/io_samples.hpp"
#include "support/projectors/lines.hpp"
#include "support/relative_l2.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::test;

namespace list_mode_recon_test {
namespace {

/// Rows of a small matrix, some of them several times.
class Rows final : public LinearOperator {
 public:
  Rows(std::vector<std::vector<double>> matrix, std::vector<std::size_t> rows)
      : matrix_(std::move(matrix)), rows_(std::move(rows)) {}
  ArrayShape domain() const override { return {static_cast<std::int64_t>(matrix_[0].size()), 1, 1}; }
  ArrayShape range() const override { return {1, 1, static_cast<std::int64_t>(rows_.size())}; }
  ArrayPtr make_domain() override { return std::make_unique<CpuArray>(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return std::make_unique<CpuArray>(ArrayShape{1, 1, rows}); }
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write write) override {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto& row = matrix_[rows_[i]];
      const double before = write == Write::accumulate ? cpu_values(y)[i] : 0;
      cpu_values(y)[i] = std::inner_product(row.begin(), row.end(), cpu_values(x), before);
    }
  }
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override {
    for (std::size_t j = 0; j < matrix_[0].size(); ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) sum += matrix_[rows_[i]][j] * cpu_values(y)[i];
      cpu_values(x)[j] = sum;
    }
  }
  void sensitivity(DeviceArray&, const Subset&) override {}
  bool matched() const override { return true; }
  std::string variant() const override { return "rows"; }

 private:
  std::vector<std::vector<double>> matrix_;
  std::vector<std::size_t> rows_;
};

/// The six events of three bins with 2, 1 and 3 counts.
class SixEvents final : public EventBlocks {
 public:
  using Lines = std::function<std::unique_ptr<LinearOperator>()>;
  SixEvents(Backend& backend, Lines lines) : backend_(backend), lines_(std::move(lines)) {}
  std::int64_t subsets() const override { return 1; }
  std::int64_t events() const override { return 6; }
  bool keep() const override { return true; }
  std::int64_t events_in(std::int64_t) const override { return 6; }
  EventBlock make(std::int64_t) override {
    EventBlock block{lines_(), nullptr};
    block.background = block.lines->make_range(6);
    backend_.upload(std::vector<float>{.1f, .1f, .2f, .1f, .1f, .1f}, *block.background);
    return block;
  }

 private:
  Backend& backend_;
  Lines lines_;
};

constexpr std::size_t bin_of_event[] = {0, 0, 1, 2, 2, 2};

/// One iteration over the six events against their histogram y = (2, 1, 3), s = (.1, .2, .1) and the matrix a, by hand.
void check_six_events(Backend& backend, const std::vector<std::vector<double>>& a, const SixEvents::Lines& lines,
                      const VolumeGrid& grid) {
  const std::size_t n = a[0].size();
  std::vector<float> sensitivity(n);
  for (std::size_t j = 0; j < n; ++j) sensitivity[j] = static_cast<float>(a[0][j] + a[1][j] + a[2][j]);
  const float floor = 1e-3f * *std::ranges::max_element(sensitivity);
  double whole = 0;
  for (float& s : sensitivity) whole += s = s > floor ? s : 0;
  ListModeEm em(backend, std::make_unique<SixEvents>(backend, lines), sensitivity, grid, nullptr, {2, true, "", 1, ""},
                {});
  while (em.step() == Reconstruction::Status::more) continue;
  const double y[3] = {2, 1, 3}, s[3] = {.1, .2, .1}, x = 6 / whole;
  double likelihood = -6;  // minus the sum of all that is expected of x
  std::vector<double> next(n);
  for (std::size_t i = 0; i < 3; ++i) {
    double expected = s[i];
    for (std::size_t j = 0; j < n; ++j) expected += sensitivity[j] > 0 ? a[i][j] * x : 0;
    likelihood += y[i] * std::log(expected);
    for (std::size_t j = 0; j < n; ++j) next[j] += a[i][j] * y[i] / expected;
  }
  REQUIRE(em.likelihoods().size() == 1);
  CHECK(em.likelihoods()[0] == Approx(likelihood).epsilon(1e-6));
  const Volume image = em.download();
  for (std::size_t j = 0; j < n; ++j)
    CHECK(image.values[static_cast<std::int64_t>(j)] ==
          Approx(sensitivity[j] > 0 ? x * next[j] / sensitivity[j] : 0).epsilon(1e-5).margin(1e-9));
}

Scanner ring() {
  RingLayout layout;
  layout.modules = 32;
  layout.module_crystals = 4;
  layout.axial_modules = 1;
  layout.module_rings = 9;
  layout.face_radius_mm = 95;
  layout.pitch_mm = 4.4;
  layout.ring_spacing_mm = 5;
  layout.layers_mm = {10};
  layout.mean_depth_mm = 4;
  return make_ring_scanner("test ring", layout, {60, 1e9}, "test");
}

/// Events of points with weights: pairs of crystals hit back to back.
EventList point_events(const Scanner& scanner, const std::vector<Vec3>& points, const std::vector<int>& counts,
                       double tof_sigma_mm = 0) {
  EventList list;
  std::mt19937 engine(4);
  std::normal_distribution<double> gauss;
  std::uniform_real_distribution<double> flat(-0.2, 0.2), turn(0, 2 * pi);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int found = 0; found < counts[p];) {
      const double z = flat(engine), phi = turn(engine), r = std::sqrt(1 - z * z);
      const Vec3 way(r * std::cos(phi), r * std::sin(phi), z);
      const auto one = scanner.layout->hit(points[p], way), other = scanner.layout->hit(points[p], -way);
      if (one.crystal < 0 || other.crystal < 0) continue;
      list.crystal1.push_back(static_cast<std::uint32_t>(one.crystal));
      list.crystal2.push_back(static_cast<std::uint32_t>(other.crystal));
      if (tof_sigma_mm > 0)  // the farther hit comes later: nearer crystal 2 when t1 is larger
        list.dt_ps.push_back(static_cast<float>(((one.distance - other.distance) / 2 + tof_sigma_mm * gauss(engine)) /
                                                half_c_mm_per_ps));
      ++found;
    }
  // The order of time mixes the points.
  std::vector<std::size_t> order(list.crystal1.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), engine);
  EventList mixed;
  for (const std::size_t i : order) mixed.append(list, static_cast<std::int64_t>(i), 1);
  return mixed;
}

const VolumeGrid grid{{31, 33, 9}, Vec3(4, 4, 5), Vec3(0)};

struct Run {
  Volume image;
  std::vector<double> likelihoods;
};

Run reconstruct(const Scanner& scanner, const ListModeInfo& info, const EventList& events, PetOptions options,
                std::shared_ptr<const Volume> attenuation = nullptr) {
  CpuBackend backend(BackendOptions{});
  options.sensitivity_pairs = 30'000;
  PetProblem problem(backend, std::make_shared<MemoryListMode>(info, events), scanner, grid, options, attenuation);
  const auto em = problem.reconstruction();
  while (em->step() != Reconstruction::Status::finished) continue;
  return {em->download(), {em->likelihoods().begin(), em->likelihoods().end()}};
}

}  // namespace

TEST_CASE("The likelihood of a list and its gradient are those of its histogram") {
  CpuBackend backend(BackendOptions{});
  const std::vector<std::vector<double>> a{{1, 2}, {3, 1}, {.5, 2}};
  const std::vector<std::size_t> rows(std::begin(bin_of_event), std::end(bin_of_event));
  check_six_events(backend, a, [&] { return std::make_unique<Rows>(a, rows); }, {{2, 1, 1}, Vec3(1), Vec3(0)});
  // The same of thin lines and tubes through an image.
  const VolumeGrid small{{5, 4, 3}, Vec3(9, 10, 12), Vec3(0)};
  Lines bins, events;
  bins.add({-60, 3, 2}, {60, -7, 5});
  bins.add({4, 70, -3}, {-11, -70, 9});
  bins.add({-50, -45, 8}, {55, 50, -10});
  for (const std::size_t bin : bin_of_event) events.add(bins.points[2 * bin], bins.points[2 * bin + 1]);
  for (const LineOptions& options : {thin_lines(), tubes(gaussian_tube(14, 14))}) {
    INFO(describe(options, false));
    std::vector<std::vector<double>> matrix;
    const auto lines = backend.make_listmode(small, bins.list(), options);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<float> one(3);
      one[i] = 1;
      const auto row = backproject(backend, *lines, one);
      matrix.emplace_back(row.begin(), row.end());
    }
    check_six_events(
        backend, matrix, [&] { return backend.make_listmode(small, events.list(), options); }, small);
  }
}

TEST_CASE("Points come back where they are, with the counts that they sent") {
  const Scanner scanner = ring();
  const std::vector<Vec3> points{{20, -10, 5}, {-24, 18, -5}};
  const EventList events = point_events(scanner, points, {3000, 1500}, 25);
  ListModeInfo info;
  info.duration_s = 10;
  PetOptions options;
  options.iterations = 3;
  for (const char* line : {"tube", "joseph"})
    for (const double fwhm : {0.0, 25 * 2.3548 / half_c_mm_per_ps}) {
      INFO(line << " tof " << fwhm);
      options.line = line;
      options.subsets = fwhm > 0 ? 3 : 1;
      info.tof_fwhm_ps = fwhm;
      options.likelihood = options.subsets == 1;
      const Run run = reconstruct(scanner, info, events, options);
      const auto [sum0, at0] = blob_at(run.image, points[0]);
      const auto [sum1, at1] = blob_at(run.image, points[1]);
      CHECK(glm::length(at0 - points[0]) < 1);
      CHECK(glm::length(at1 - points[1]) < 1.5);
      CHECK(sum0 / sum1 == Approx(2).epsilon(0.2));  // the sensitivity is a sample
      for (std::size_t i = 1; i < run.likelihoods.size(); ++i) CHECK(run.likelihoods[i] > run.likelihoods[i - 1]);
    }
}

TEST_CASE("Blobs and a resolution model see the same activity as voxels") {
  const Scanner scanner = ring();
  const std::vector<Vec3> points{{8, -6, 0}};
  const EventList events = point_events(scanner, points, {2500});
  PetOptions options;
  options.iterations = 3;
  const auto total = [](const Volume& v) { return std::accumulate(v.values.begin(), v.values.end(), 0.0); };
  const Run voxels = reconstruct(scanner, {}, events, options);
  options.psf = 8;
  const Run psf = reconstruct(scanner, {}, events, options);
  options.psf = 0;
  options.image = "blobs";
  const Run blobs = reconstruct(scanner, {}, events, options);
  CHECK(total(psf.image) == Approx(total(voxels.image)).epsilon(0.1));
  CHECK(total(blobs.image) == Approx(total(voxels.image)).epsilon(0.1));
  CHECK(glm::length(blob_at(psf.image, points[0]).second - points[0]) < 1);
  CHECK(glm::length(blob_at(blobs.image, points[0]).second - points[0]) < 1);
  // Smoothed afterwards, the point is lower and as bright.
  options.image = "voxels";
  options.post_filter = 12;
  const Run smooth = reconstruct(scanner, {}, events, options);
  CHECK(total(smooth.image) == Approx(total(voxels.image)).epsilon(0.02));
  CHECK(*std::ranges::max_element(smooth.image.values) < 0.7 * *std::ranges::max_element(voxels.image.values));
}

TEST_CASE("Attenuation and background are corrected for") {
  const Scanner scanner = ring();
  const std::vector<Vec3> points{{10, 5, 2}};
  EventList events = point_events(scanner, points, {2500});
  PetOptions options;
  options.iterations = 3;
  const double plain = blob_at(reconstruct(scanner, {}, events, options).image, points[0]).first;
  // Everywhere 0.004/mm in the whole grid: events that came through count exp(mu l) times, about exp(0.5).
  auto matter = std::make_shared<Volume>(grid);
  std::ranges::fill(matter->values, 0.004f);
  const double corrected = blob_at(reconstruct(scanner, {}, events, options, matter).image, points[0]).first;
  CHECK(corrected / plain > 1.4);
  CHECK(corrected / plain < 2);
  // Half of the events from everywhere, and a rate that says so.
  const auto trues = static_cast<std::size_t>(events.size());
  const Lines noise = random_lines(1, 1);
  std::mt19937 engine(8);
  std::uniform_int_distribution<std::uint32_t> crystal(0, static_cast<std::uint32_t>(scanner.crystals() - 1));
  while (events.crystal1.size() < 2 * trues) {
    const std::uint32_t one = crystal(engine), other = crystal(engine);
    if (!scanner.in_coincidence(one, other)) continue;
    events.crystal1.push_back(one);
    events.crystal2.push_back(other);
  }
  const double dirty = blob_at(reconstruct(scanner, {}, events, options).image, points[0]).first;
  CrystalPairs pairs(scanner);
  events.random_rate.assign(events.crystal1.size(), static_cast<float>(double(trues) / double(pairs.count())));
  const Volume image = reconstruct(scanner, {}, events, options).image;
  const double sum = std::accumulate(image.values.begin(), image.values.end(), 0.0);
  const double clean = blob_at(image, points[0]).first;
  CHECK(clean == Approx(plain).epsilon(0.1));
  CHECK(sum < 2 * clean);
  options.no_randoms = true;
  CHECK(blob_at(reconstruct(scanner, {}, events, options).image, points[0]).first == Approx(dirty).epsilon(1e-6));
}

TEST_CASE("Integers add lists up where a background bounds every event's weight, unless told otherwise") {
  using Sums = LineOptions::Sums;
  struct Noting final : CpuBackend {
    using CpuBackend::CpuBackend;
    std::unique_ptr<LinearOperator> make_listmode(const VolumeGrid& g, const LineList& l,
                                                  const LineOptions& o) override {
      last = o.sums;
      return CpuBackend::make_listmode(g, l, o);
    }
    Sums last = Sums::fixed;
  };
  const Scanner scanner = ring();
  EventList events = point_events(scanner, {{10, 5, 2}}, {50});
  const auto taken = [&](const std::string& sums) {
    Noting backend(BackendOptions{});
    PetOptions options;
    options.iterations = 1;
    options.sensitivity_pairs = 1000;
    options.sums = sums;
    PetProblem problem(backend, std::make_shared<MemoryListMode>(ListModeInfo{}, events), scanner, grid, options,
                       nullptr);
    const auto em = problem.reconstruction();
    while (em->step() != Reconstruction::Status::finished) continue;
    return backend.last;
  };
  CHECK(taken("auto") == Sums::floating);
  CHECK(taken("fixed") == Sums::fixed);
  events.random_rate.assign(50, 0.1f);
  CHECK(taken("auto") == Sums::fixed);
  CHECK(taken("floating") == Sums::floating);
  events.random_rate[7] = 0;
  CHECK(taken("auto") == Sums::floating);
}

TEST_CASE("A list read again at every iteration, or resumed, gives the same image") {
  const Scanner scanner = ring();
  const EventList events = point_events(scanner, {{0, 12, 4}}, {3000});
  PetOptions options;
  options.iterations = 3;
  options.subsets = 4;
  const Run whole = reconstruct(scanner, {}, events, options);
  options.keep_events = 100;
  CHECK(std::ranges::equal(reconstruct(scanner, {}, events, options).image.values, whole.image.values));
  const Scratch folder;
  options.iterations = 1;
  options.checkpoint = (folder.path() / "state").string();
  reconstruct(scanner, {}, events, options);
  options.iterations = 3;
  options.resume = options.checkpoint;
  CHECK(std::ranges::equal(reconstruct(scanner, {}, events, options).image.values, whole.image.values));
  options.subsets = 2;
  options.iterations = 9;
  CHECK_THROWS_WITH(reconstruct(scanner, {}, events, options), Catch::Matchers::Contains("subsets"));
}

TEST_CASE("A normalisation file of all pairs gives the scanner's own sensitivity") {
  const Scanner scanner = ring();
  const CrystalPairs pairs(scanner);
  std::string records;
  std::int64_t count = 0;
  const auto put = [&](const auto& value) { records.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  for (std::int64_t one = 0; one < scanner.crystals(); ++one)
    for (const std::uint32_t other : pairs.partners(one)) {
      put(1 / static_cast<float>(scanner.pair_efficiency(static_cast<std::uint32_t>(one), other)));
      put(static_cast<std::uint32_t>(one));
      put(other);
      ++count;
    }
  const Scratch folder;
  const auto write = [&](const std::string& mode) {
    write_bytes(folder / "norm.cdf", records);
    write_bytes(folder / "norm.cdh",
                "Scanner name: test ring\nData filename: norm.cdf\nNumber of events: " + std::to_string(count) +
                    "\nData mode: " + mode + "\nData type: PET\nNormalization correction flag: 1\n");
    return folder / "norm.cdh";
  };
  CpuBackend backend(BackendOptions{});
  const auto list = std::make_shared<MemoryListMode>(ListModeInfo{}, point_events(scanner, {{0, 0, 0}}, {20}));
  PetOptions options;
  options.sensitivity_pairs = 0;
  const VolumeGrid small{{9, 7, 5}, Vec3(12, 14, 9), Vec3(0)};
  PetProblem own(backend, list, scanner, small, options, nullptr),
      given(backend, list, scanner, small, options, nullptr);
  given.set_normalisation(load_normalisation(write("normalization"), scanner));
  CHECK(given.sensitivity().pairs == own.sensitivity().pairs);
  CHECK(relative_l2(given.sensitivity().values, own.sensitivity().values) < 1e-5);
  CHECK_THROWS_WITH(load_normalisation(write("list-mode"), scanner),
                    Catch::Matchers::Contains("its data mode is 'list-mode'; name a header of mode normalization"));
  count += 1;
  CHECK_THROWS_WITH(load_normalisation(write("normalization"), scanner), Catch::Matchers::Contains("bytes long"));
}

TEST_CASE("Tubes may be wider the farther their lines pass the axis") {
  const Scanner scanner = ring();
  const EventList events = point_events(scanner, {{0, 12, 4}}, {2000});
  PetOptions options;
  options.iterations = 1;
  options.sensitivity_pairs = 30'000;
  const auto image = [&](const std::string& widths, double width) {
    options.tube_widths = widths;
    options.tube_width = width;
    return reconstruct(scanner, {}, events, options).image;
  };
  const Volume one = image("", 7), same = image("0:7", 0), far = image("0:7,500:3", 0), two = image("0:7,6:10", 0);
  CHECK(std::ranges::equal(same.values, one.values));
  CHECK(std::ranges::equal(far.values, one.values));
  // Lines within 6 mm of the axis are as narrow as before, the others as wide as in the last.
  const Volume wide = image("", 10);
  CHECK(relative_l2(two.values.span(), one.values.span()) > 0.01);
  CHECK(relative_l2(two.values.span(), wide.values.span()) > 0.01);
  CHECK(tube_widths_of("0:4,60:5.5") == std::vector<std::array<double, 2>>{{0, 4}, {60, 5.5}});
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(tube_widths_of("0:4;60:5"), Contains("'0:4;60:5' is not a distance and a width; give them like"));
  CHECK_THROWS_WITH(tube_widths_of("5:4"), Contains("distance 1 is 5 mm; distances begin at 0 and ascend"));
  CHECK_THROWS_WITH(tube_widths_of("0:4,60:-1"), Contains("a width of -1 mm"));
  options.tube = "box";
  CHECK_THROWS_WITH(image("0:4", 0), Contains("tube_widths: only gaussian tubes have one"));
  options.tube = "gaussian";
  CHECK_THROWS_WITH(image("0:4", 5), Contains("tube_widths: `tube_width` is given too; leave one of them out"));
}

TEST_CASE("Tubes may be wider the deeper their events interacted") {
  const Scanner scanner = ring();
  const EventList flat = point_events(scanner, {{0, 12, 4}}, {500});
  const double middle = glm::length(glm::dvec2(scanner.position[0]));
  // Both ends of every other event lie 12 mm deeper than crystals' middles.
  const auto ends = [&](bool some, bool others) {
    EventList e = flat;
    for (std::size_t i = 0; i < e.crystal1.size(); ++i) {
      const float depth = (i % 2 == 0 ? some : others) ? 12.0f : 0.0f;
      for (const auto& [from, to] : {std::pair{&e.crystal1, &e.end1}, std::pair{&e.crystal2, &e.end2}}) {
        const auto crystal = (*from)[i];
        to->push_back(scanner.position[crystal] + depth * scanner.outward[crystal]);
      }
    }
    return e;
  };
  PetOptions options;
  options.iterations = 1;
  options.tube_radius = 5;
  options.sensitivity_pairs = 30'000;
  const auto image = [&](const EventList& events, const std::string& widths, const std::string& by, double width) {
    options.tube_widths = widths;
    options.tube_widths_by = by;
    options.tube_width = width;
    return reconstruct(scanner, {}, events, options).image;
  };
  const std::string steps = fmt::format("0:6,{}:10", middle + 6);
  const auto equal = [](const Volume& a, const Volume& b) { return std::ranges::equal(a.values, b.values); };
  CHECK(equal(image(ends(false, false), steps, "ends", 0), image(ends(false, false), "", "line", 6)));
  CHECK(equal(image(ends(true, true), steps, "line", 0), image(ends(true, true), "", "line", 6)));
  const EventList half = ends(true, false);
  const Volume both = image(half, steps, "ends", 0);
  CHECK(relative_l2(both.values.span(), image(half, "", "line", 6).values.span()) > 0.01);
  CHECK(relative_l2(both.values.span(), image(half, "", "line", 10).values.span()) > 0.01);
  CHECK_THROWS_WITH(image(flat, "", "ends", 0),
                    Catch::Matchers::Contains("tube_widths_by: there is one width only; give `tube_widths` too"));
}

TEST_CASE("PET options that do not go together say so") {
  using Catch::Matchers::Contains;
  PetOptions options;
  options.line = "joseph";
  options.image = "blobs";
  CHECK_THROWS_WITH(check(options), Contains("joseph knows voxels only; take `line` tube, or `image` voxels"));
  options = {};
  options.tube = "box";
  options.tube_width = 3;
  CHECK_THROWS_WITH(check(options), Contains("tube_width: only gaussian tubes have one; give `tube_radius`"));
  const Scanner scanner = ring();
  const EventList events = point_events(scanner, {{0, 0, 0}}, {20});
  options = {};
  options.tof = "on";
  CHECK_THROWS_WITH(reconstruct(scanner, {}, events, options), Contains("give `tof_resolution` in ps"));
  EventList timed = events;
  timed.dt_ps.assign(20, 0);
  timed.scatter_rate.assign(20, 1);
  options.tof = "off";
  CHECK_THROWS_WITH(reconstruct(scanner, {}, timed, options), Contains("leave scatter out: `no_scatter`"));
  options.tof = "on";
  options.tof_resolution = 400;
  CHECK_THROWS_WITH(reconstruct(scanner, {}, events, options), Contains("events have no time of flight"));
  options = {};
  options.subsets = 21;
  CHECK_THROWS_WITH(reconstruct(scanner, {}, events, options), Contains("21 subsets of 20 events"));
  CHECK_THROWS_WITH(reconstruct(scanner, {}, {}, {}), Contains("there are no events"));
  const Scratch folder;
  const auto file = (folder.path() / "tube.txt").string();
  write_text(file, "# mm weight\n0 1\n2 0.5 # half\n\n4 0.1\n");
  CHECK(read_tube_profile(file).size() == 3);
  write_text(file, "0 1\n2\n");
  CHECK_THROWS_WITH(read_tube_profile(file), Contains("tube.txt: line 2 does not hold two numbers"));
  write_text(file, "r f\n");
  CHECK_THROWS_WITH(read_tube_profile(file), Contains("line 1: 'r' is no number"));
}

}  // namespace list_mode_recon_test
