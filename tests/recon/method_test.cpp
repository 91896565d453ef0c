// Methods announce themselves: what they declare is all that they take, those of a program like those of the engine.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/recon/methods/fdk.hpp>
#include <backlit/recon/methods/pwls.hpp>
#include <backlit/recon/methods/sirt.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/paths.hpp"

using namespace backlit;
using Catch::Contains;

namespace method_test {
namespace {

/// A method of this test: the mean of each view, times a factor, in every voxel, view by view.
struct MeanOptions : MethodOptions {
  double factor = 1;
  bool inverted = false;

  Parameters parameters() override {
    return {{"factor", &factor, "what the mean is multiplied by", "", 0.1, 10},
            {"inverted", &inverted, "the negative of it"}};
  }
};

class Mean final : public Reconstruction {
 public:
  Mean(const ReconInput& input, const MeanOptions& options) : input_(input), options_(options) {}

  Status step() override {
    const Scan& scan = input_.source->scan();
    std::vector<float> view(static_cast<std::size_t>(scan.detector.pixels()));
    input_.source->read(done_++, 1, view);
    for (const float v : view) sum_ += static_cast<double>(v) / static_cast<double>(view.size());
    return done_ == scan.view_count() ? Status::finished : Status::more;
  }
  ReconProgress progress() const override { return {"mean", done_, input_.source->scan().view_count(), "views"}; }
  std::span<const double> residuals() const override { return {}; }
  void publish(DisplayVolume&) override {}
  Volume download() override {
    Volume v(input_.grid);
    const double value = options_.factor * sum_ / static_cast<double>(done_);
    for (float& x : v.values) x = static_cast<float>(options_.inverted ? -value : value);
    return v;
  }
  const std::map<std::string, double>& seconds() const override { return seconds_; }
  std::string variant() const override { return "mean"; }

 private:
  ReconInput input_;
  MeanOptions options_;
  std::int64_t done_ = 0;
  double sum_ = 0;
  std::map<std::string, double> seconds_;
};

/// Registered once for all cases of this program.
void register_mean() {
  static const bool once = [] {
    register_method(announce<MeanOptions>(
        {.name = "test_mean", .title = "Mean", .paper = "none", .about = "For a test."},
        [](const ReconInput& input, const MeanOptions& options) { return std::make_unique<Mean>(input, options); }));
    return true;
  }();
  (void)once;
}

std::shared_ptr<ProjectionSource> constant_views(float value) {
  const Detector d{5, 3, 2, 2};
  Projections p(Scan{d, circular_views(d, equal_angles(7), 100, 150)});
  for (float& v : p.values) v = value;
  return std::make_shared<MemorySource>(std::move(p));
}

const VolumeGrid grid{{3, 5, 2}, Vec3(2), Vec3(0)};

float run(const Method& method) {
  const auto backend = make_backend("cpu");
  const auto recon = make_reconstruction(*backend, constant_views(2), grid, method);
  while (recon->step() != Reconstruction::Status::finished) continue;
  return recon->download().at(1, 4, 1);
}

}  // namespace

TEST_CASE("A program's own method is registered, described, refused and run like the engine's") {
  register_mean();
  CHECK(method_names().back() == "test_mean");
  Method mean("test_mean");
  mean.set("factor", "3");
  CHECK(run(mean) == Approx(6));
  MeanOptions options;
  options.inverted = true;
  CHECK(run(options) == Approx(-2));
  CHECK_THROWS_WITH(mean.set("factor", "11"), "factor: 11 is outside 0.1 to 10");
  CHECK_THROWS_WITH(mean.set("iterations", "3"), Contains("iterations: test_mean does not take it; use `method` ifdk"));
  CHECK_THROWS_WITH(Method("sirt").set("factor", "1"), "factor: sirt does not take it; use `method` test_mean");
  CHECK_THROWS_WITH(Method("sirt").set("colour", "1"),
                    Contains("colour: no method has such a parameter; those of sirt"));
  CHECK_THROWS_WITH(register_method({.name = "test_mean", .title = "", .paper = "", .about = ""}),
                    Contains("there is a method 'test_mean' already"));
}

TEST_CASE("A method's options are values: copies do not share them") {
  SirtOptions options;
  options.iterations = 7;
  Method a(options), b = a;
  b.set("iterations", "9");
  CHECK(a.text("iterations") == "7");
  CHECK(b.get<SirtOptions>()->iterations == 9);
  a = b;
  CHECK(a.get<IterationOptions>()->iterations == 9);
  CHECK(a.get<FdkOptions>() == nullptr);
  CHECK(a.name() == "sirt");
}

TEST_CASE("Options without effect are refused where they were changed or named, by one rule") {
  PwlsOptions options;
  CHECK_NOTHROW(check(options));
  options.penalty = PwlsOptions::Penalty::none;
  options.subsets = 1;
  options.relaxation_decay = 0.5;
  CHECK_THROWS_WITH(check(options), "relaxation_decay: needs `subsets` > 1 with `method` pwls");
  options.subsets = 4;
  CHECK_NOTHROW(check(options));
  options.penalty = PwlsOptions::Penalty::none;
  const std::vector<std::string> named{"strength"};
  CHECK_THROWS_WITH(check(options, named), "strength: needs `penalty` qggmrf or tv with `method` pwls");
  options.penalty = PwlsOptions::Penalty::tv;
  CHECK_NOTHROW(check(options, named));
  options.penalty_q = 1.5;
  CHECK_THROWS_WITH(check(options), "penalty_q: needs `penalty` qggmrf with `method` pwls");
  Method method(options);
  method.reset_unused();
  CHECK_NOTHROW(check(method));
  CHECK(method.get<PwlsOptions>()->relaxation_decay == 0.5);
  CHECK(method.get<PwlsOptions>()->penalty_q == PwlsOptions{}.penalty_q);
}

TEST_CASE("Every method says what it is, and names only parameters that it has") {
  for (const std::string& name : method_names()) {
    INFO(name);
    const Method method(name);
    const MethodInfo& info = method.info();
    CHECK_FALSE(info.title.empty());
    CHECK_FALSE(info.paper.empty());
    CHECK_FALSE(info.about.empty());
    CHECK_NOTHROW(check(method));
    for (const std::string& parameter : info.usual) CHECK(method.has(parameter));
    for (const auto& [parameter, value] : info.suggested) CHECK_NOTHROW(Method(name).set(parameter, value));
    std::vector<std::string> names;
    for (const Parameter& p : Method(name).parameters()) names.push_back(p.name);
    std::ranges::sort(names);
    CHECK(std::ranges::adjacent_find(names) == names.end());
  }
}

TEST_CASE("The documented table of methods is what the methods say of themselves") {
  std::stringstream page;
  page << std::ifstream(test::source_dir() / "docs/reference/methods.md").rdbuf();
  for (const std::string& name : method_names()) {
    const MethodInfo& m = method_info(name);
    if (name.starts_with("test_")) continue;  // of this program
    const std::string row = "| `" + name + "` | " + m.title + " | " + m.about + " |\n";
    INFO("docs/reference/methods.md needs the row\n" << row);
    CHECK(page.str().find(row) != std::string::npos);
  }
}

}  // namespace method_test
