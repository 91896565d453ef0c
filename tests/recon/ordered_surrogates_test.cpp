// Penalised least squares by ordered subsets of separable surrogates.
#include "recon/iterative/ordered_surrogates.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include "support/recon/penalized_problem.hpp"
#include "support/recon/recon_options.hpp"
#include "support/relative_l2.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using test::PenalizedProblem;
using test::relative_l2;

namespace {

ReconOptions surrogates(const char* penalty, std::int64_t subsets, std::int64_t iterations) {
  ReconOptions o = test::pwls(penalty, iterations);
  o.strength = 0.02;
  o.penalty_edge = 0.01;
  o.subsets = subsets;
  return o;
}

std::vector<float> values(const Volume& v) { return {v.values.begin(), v.values.end()}; }

/// What is minimised, after each iteration.
std::vector<double> follow(Reconstruction& recon, PenalizedProblem& problem, const ReconOptions& o) {
  std::vector<double> objective;
  for (auto status = Reconstruction::Status::more; status != Reconstruction::Status::finished;) {
    status = recon.step();
    if (status != Reconstruction::Status::more) objective.push_back(problem.objective(recon.download(), o));
  }
  return objective;
}

/// By conjugate gradients where there is one subset.
std::vector<double> minimise(Backend& backend, PenalizedProblem& problem, const ReconOptions& o) {
  return follow(*make_reconstruction(backend, problem.source(), test::grid, o), problem, o);
}

Volume volume_of(Backend& backend, PenalizedProblem& problem, const ReconOptions& o) {
  const auto recon = make_reconstruction(backend, problem.source(), test::grid, o);
  while (recon->step() != Reconstruction::Status::finished) continue;
  return recon->download();
}

/// By surrogates, also where there is one subset.
std::vector<double> step_down(Backend& backend, PenalizedProblem& problem, const ReconOptions& o) {
  Method method = o;
  method.get<PwlsOptions>()->momentum = 1;
  OrderedSurrogates recon({backend, problem.source(), test::grid, method.name()}, *method.get<PwlsOptions>());
  return follow(recon, problem, o);
}

}  // namespace

TEST_CASE("Surrogates of all views bound what they stand for: nearly twice their step never raises it") {
  const auto backend = make_backend("cpu");
  PenalizedProblem problem(*backend);
  for (const char* penalty : {"none", "qggmrf", "tv"})
    for (const auto& [p, q] : {std::pair{2.0, 1.2}, {1.7, 1.1}, {2.0, 2.0}})
      for (const double strength : {0.02, 2.0}) {  // a penalty that outweighs the data, too
        const bool powers = penalty == std::string("qggmrf");
        if (!powers && (p != 2 || q != 1.2 || (strength > 1 && penalty == std::string("none")))) continue;
        INFO(penalty << " " << p << " " << q << ", strength " << strength);
        ReconOptions o = surrogates(penalty, 1, 4);
        o.penalty_p = p;
        o.penalty_q = q;
        o.strength = strength;
        o.relaxation = 1.9;
        double last = problem.objective(Volume(test::grid), o);
        const double start = last;
        for (const double now : step_down(*backend, problem, o)) {
          CHECK(now <= last * (1 + 1e-6));
          last = now;
        }
        CHECK(last < start);
      }
}

TEST_CASE("Ordered surrogates of consistent data go down, and with M subsets as far as M times with one") {
  const auto backend = make_backend("cpu");
  PenalizedProblem problem(*backend, 0);
  for (const char* penalty : {"none", "qggmrf", "tv"}) {
    INFO(penalty);
    const ReconOptions o = surrogates(penalty, 1, 25);
    const double start = problem.objective(Volume(test::grid), o);
    const double least = problem.objective(volume_of(*backend, problem, o), o);
    const auto one = step_down(*backend, problem, surrogates(penalty, 1, 8));
    const auto four = minimise(*backend, problem, surrogates(penalty, 4, 3));
    double last = start;
    for (const double now : four) {
      CHECK(now < last);
      last = now;
    }
    for (const std::size_t n : {1, 2}) {
      const double left = four[n - 1] - least, alone = one[4 * n - 1] - least;
      CHECK(left < 1.3 * alone);
      CHECK(left < 0.5 * (one[n - 1] - least));
    }
  }
}

TEST_CASE("Ordered surrogates whose relaxation falls lead to what conjugate gradients find") {
  const auto backend = make_backend("cpu");
  PenalizedProblem problem(*backend);
  for (const char* penalty : {"qggmrf", "tv"}) {
    INFO(penalty);
    ReconOptions o = surrogates(penalty, 1, 25);
    o.strength = penalty == std::string("tv") ? 0.01 : 0.1;
    const double start = problem.objective(Volume(test::grid), o);
    const Volume best = volume_of(*backend, problem, o);
    const double least = problem.objective(best, o);
    const auto left = [&](const Volume& v) { return (problem.objective(v, o) - least) / (start - least); };
    o.iterations = 15;
    o.subsets = 12;  // views one by one
    const Volume constant = volume_of(*backend, problem, o);
    o.relaxation_decay = 0.3;
    const Volume falling = volume_of(*backend, problem, o);
    CHECK(left(constant) < 1e-2);
    CHECK(left(falling) < 2e-4);
    CHECK(left(falling) > -1e-6);
    CHECK(left(falling) < 0.1 * left(constant));
    CHECK(relative_l2(values(falling), values(best)) < 0.02);
    CHECK(relative_l2(values(falling), values(best)) < 0.6 * relative_l2(values(constant), values(best)));
  }
}

TEST_CASE("Ordered surrogates honour weights and penalty") {
  const auto backend = make_backend("cpu");
  PenalizedProblem problem(*backend);
  const ReconOptions weighted = surrogates("qggmrf", 4, 12);
  ReconOptions plain = weighted, stronger = weighted;
  plain.weights = "none";
  stronger.strength = 0.2;
  const Volume a = volume_of(*backend, problem, weighted), b = volume_of(*backend, problem, plain),
               c = volume_of(*backend, problem, stronger);
  for (const auto& [options, theirs] : {std::pair{weighted, &a}, {plain, &b}, {stronger, &c}})
    for (const Volume* other : {&a, &b, &c})
      if (other != theirs) CHECK(problem.objective(*theirs, options) < problem.objective(*other, options));
}

TEST_CASE("Ordered surrogates keep to mask and sign, start where they are told and stop there") {
  const auto backend = make_backend("cpu");
  PenalizedProblem problem(*backend);
  ReconOptions o = surrogates("tv", 4, 3);
  o.nonnegative = true;
  o.mask = "cylinder";
  const Volume volume = volume_of(*backend, problem, o);
  CHECK(*std::min_element(volume.values.begin(), volume.values.end()) == 0);
  CHECK(volume.at(0, 0, 4) == 0);
  CHECK(volume.at(9, 10, 4) > 0);

  o.initial_volume = std::make_shared<const Volume>(volume_of(*backend, problem, o));
  o.initial = "before";
  o.iterations = 9;
  o.stop_residual = 0.5;
  const auto recon = make_reconstruction(*backend, problem.source(), test::grid, o);
  while (recon->step() != Reconstruction::Status::finished) continue;
  CHECK(recon->residuals().size() == 1);
  CHECK_THAT(recon->stopped_by(), Catch::EndsWith("of the data, no more than 0.5"));

  ReconOptions order = surrogates("tv", 4, 1);
  const auto reversed = values(volume_of(*backend, problem, order));
  order.subset_order = "sequential";
  CHECK(reversed != values(volume_of(*backend, problem, order)));
}

TEST_CASE("Ordered surrogates on two devices find what they find on one") {
  BackendOptions options;
  options.further_devices = {1};
  const auto group = make_backend("cpu", options), one = make_backend("cpu");
  PenalizedProblem problem(*one);
  const ReconOptions o = surrogates("qggmrf", 4, 2);
  const auto recon = make_reconstruction(*group, problem.source(), test::grid, o);
  while (recon->step() != Reconstruction::Status::finished) continue;
  CHECK_THAT(recon->variant(), Catch::Contains("2 devices"));
  CHECK(relative_l2(values(recon->download()), values(volume_of(*one, problem, o))) < 1e-5);
}

TEST_CASE("A relaxation that falls belongs to what a checkpoint is of") {
  const auto backend = make_backend("cpu");
  const test::Scratch folder;
  PenalizedProblem problem(*backend);
  ReconOptions o = surrogates("none", 3, 1);
  o.relaxation_decay = 0.3;
  o.checkpoint = folder / "state";
  minimise(*backend, problem, o);
  o.resume = o.checkpoint;
  o.iterations = 2;
  o.relaxation_decay = 0;
  CHECK_THROWS_WITH(minimise(*backend, problem, o),
                    Catch::Contains("relaxation_decay was 0.3 in the run that wrote it and is 0 now"));
}

TEST_CASE("Ordered surrogates: what does not go together is said") {
  const auto backend = make_backend("cpu");
  PenalizedProblem problem(*backend);
  const auto make = [&](const ReconOptions& o) {
    return make_reconstruction(*backend, problem.source(), test::grid, o);
  };
  ReconOptions o = surrogates("none", 13, 1);
  CHECK_THROWS_WITH(make(o), "subsets: 13 subsets of 12 views; give at most one a view");
  o.subsets = 1;
  o.nonnegative = true;
  CHECK_THROWS_WITH(make(o), "nonnegative: needs `subsets` > 1 with `method` pwls");
  o.nonnegative = false;
  o.relaxation = 0.5;
  CHECK_THROWS_WITH(make(o), "relaxation: needs `subsets` > 1 with `method` pwls");
  o.relaxation = 1;
  o.relaxation_decay = 0.5;
  CHECK_THROWS_WITH(make(o), "relaxation_decay: needs `subsets` > 1 with `method` pwls");
  o.method = "ossart";
  CHECK_THROWS_WITH(check(o), Catch::StartsWith("relaxation_decay: ossart does not take it; use `method` pwls"));
  const std::vector<std::string> given{"subset_order"};
  CHECK_NOTHROW(check(surrogates("none", 2, 1), given));
  CHECK_THROWS_WITH(check(surrogates("none", 1, 1), given), "subset_order: needs `subsets` > 1 with `method` pwls");
}
