// Parameters that change while a method iterates: Reconstruction::steer().
#include <catch2/catch.hpp>

#include <backlit/recon/reconstruction.hpp>
#include "support/recon/small_problem.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using namespace backlit::test;

namespace steering_test {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Method with(Method method, const Values& values) {
  for (const auto& [name, value] : values) method.set(name, value);
  return method;
}

struct Steered {
  std::string method;
  Values plain, other;  ///< before, and other parameters from the third iteration on
};

std::shared_ptr<ProjectionSource> some_views(Backend& backend) {
  return std::make_shared<MemorySource>(consistent_data(backend, small_scan()));
}

void iterate(Reconstruction& run, int iterations) {
  for (int done = 0; done < iterations;)
    if (run.step() != Reconstruction::Status::more) ++done;
}

void finish(Reconstruction& run) {
  while (run.step() != Reconstruction::Status::finished) continue;
}

}  // namespace

TEST_CASE("A steered method goes on as a new run with the other parameters would from the same volume") {
  const auto backend = make_backend("cpu");
  const auto views = some_views(*backend);
  const Values more{{"iterations", "4"}};
  const auto next = GENERATE_REF(values<Steered>({
      {"sirt", {}, {{"relaxation", "0.5"}, {"nonnegative", "true"}}},
      {"sart", {}, {{"relaxation", "0.2"}}},
      {"ossart", {{"subsets", "5"}}, {{"relaxation", "0.3"}, {"nonnegative", "true"}}},
      {"fista", {}, {{"relaxation", "0.6"}}},
      {"asdpocs", {{"subsets", "4"}, {"noise", "1e-6"}}, {{"tv_length", "0.05"}, {"upper", "1.1"}}},
      {"pwls", {{"subsets", "1"}, {"strength", "1e-4"}}, {{"strength", "0.1"}}},
      {"pwls", {{"subsets", "4"}, {"strength", "1e-4"}}, {{"strength", "0.1"}, {"penalty_edge", "1e-3"}}},
      {"pwls", {{"subsets", "4"}}, {{"relaxation_decay", "1"}, {"nonnegative", "true"}}},
      {"pcg", {}, {}},
  }));
  INFO(next.method);
  const Method before = with(with(next.method, next.plain), more), after = with(before, next.other);
  const auto run = make_reconstruction(*backend, views, grid, before);
  iterate(*run, 2);
  const auto there = std::make_shared<Volume>(run->download());
  REQUIRE(run->steer(after));
  finish(*run);
  CHECK(run->residuals().size() == 6);
  CHECK(run->progress().done == run->progress().total);

  Method anew = after;
  anew.get<IterationOptions>()->initial = "there";
  anew.get<IterationOptions>()->initial_volume = there;
  const auto fresh = make_reconstruction(*backend, views, grid, anew);
  finish(*fresh);
  if (next.method == "pcg")  // its directions stay conjugate to those before
    CHECK(run->residuals().back() < fresh->residuals().back());
  else  // steps down total variation magnify rounding errors
    CHECK(relative_l2(run->download().values.span(), fresh->download().values.span()) <
          (next.method == "asdpocs" ? 2e-3 : 1e-4));
}

TEST_CASE("More iterations of conjugate gradients continue the same run") {
  const auto backend = make_backend("cpu");
  const auto views = some_views(*backend);
  const auto run = make_reconstruction(*backend, views, grid, with("cgls", {{"iterations", "3"}}));
  finish(*run);
  CHECK(run->step() == Reconstruction::Status::finished);
  REQUIRE(run->steer(with("cgls", {{"iterations", "4"}})));
  finish(*run);
  const auto whole = make_reconstruction(*backend, views, grid, with("cgls", {{"iterations", "7"}}));
  finish(*whole);
  CHECK(relative_l2(run->download().values.span(), whole->download().values.span()) < 1e-6);
}

TEST_CASE("Total variation that is steered arrives where a run with the same weight does") {
  const auto backend = make_backend("cpu");
  const auto views = some_views(*backend);
  const std::string method = GENERATE("tv", "pdhg");
  INFO(method);
  const Method weak = with(method, {{"iterations", "10"}, {"subsets", "1"}, {"lambda", "0.01"}}),
               strong = with(weak, {{"iterations", "200"}, {"lambda", "20"}, {"upper", "1.2"}});
  const auto run = make_reconstruction(*backend, views, grid, weak);
  iterate(*run, 5);
  REQUIRE(run->steer(strong));
  REQUIRE(run->steer(strong));  // the last one counts
  finish(*run);
  CHECK(run->residuals().size() == 205);
  const auto aim = make_reconstruction(*backend, views, grid, strong),
             other = make_reconstruction(*backend, views, grid, with(strong, {{"lambda", "0.01"}}));
  finish(*aim);
  finish(*other);
  const Volume there = run->download();
  CHECK(relative_l2(there.values.span(), aim->download().values.span()) < 0.02);
  CHECK(relative_l2(there.values.span(), other->download().values.span()) > 0.1);
  for (const float value : there.values) REQUIRE(value <= 1.2f);
}

TEST_CASE("A rule that would have ended the present iteration gives way to the new parameters") {
  const auto backend = make_backend("cpu");
  const Method strict = with("ossart", {{"subsets", "4"}, {"stop_residual", "0.999"}, {"iterations", "9"}});
  const auto run = make_reconstruction(*backend, some_views(*backend), grid, strict);
  while (run->progress().stage != "iterate" || run->progress().done == 0)
    REQUIRE(run->step() == Reconstruction::Status::more);
  REQUIRE(run->steer(with(strict, {{"stop_residual", "0"}, {"iterations", "3"}})));
  finish(*run);
  CHECK(run->residuals().size() == 4);
  CHECK(run->stopped_by() == "");
}

TEST_CASE("What does not steer needs a new run") {
  const auto backend = make_backend("cpu");
  const auto views = some_views(*backend);
  const Method sirt = with("sirt", {{"iterations", "2"}});
  const auto run = make_reconstruction(*backend, views, grid, sirt);
  finish(*run);
  CHECK_FALSE(run->steer("fista"));
  CHECK_FALSE(run->steer(with(sirt, {{"mask", "cylinder"}})));
  CHECK_FALSE(run->steer(with(sirt, {{"precision", "exact"}})));
  CHECK(run->step() == Reconstruction::Status::finished);
  const auto fdk = make_reconstruction(*backend, views, grid, "fdk");
  CHECK_FALSE(fdk->steer("fdk"));
}

}  // namespace steering_test
