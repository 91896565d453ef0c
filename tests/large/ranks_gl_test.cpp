// Iterations by ranks on OpenGL, against one process. Threads stand in for processes.
#include <backlit/recon/methods/fdk.hpp>

#include "large/ranks/ranked_backend.hpp"
#include "large/thread_ranks.hpp"
#include "support/recon/small_problem.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::test;

namespace ranks_gl_test {
namespace {

ReconOptions options_of(const std::string& method) {
  ReconOptions o{.method = method, .precision = "exact", .iterations = 2};
  if (method == "ossart" || method == "tv" || method == "fista") o.subsets = 3;
  if (method == "pwls") {
    o.weights = "transmission";
    o.penalty = "qggmrf";
  }
  return o;
}

struct Reconstructed {
  std::vector<float> volume;
  std::vector<double> residuals;
};

Reconstructed reconstruct(Backend& backend, const Projections& views, const Method& method) {
  const auto source = std::make_shared<MemorySource>(Projections(views.scan, views.values.clone()));
  const auto run = make_reconstruction(backend, source, grid, method);
  while (run->step() != Reconstruction::Status::finished) continue;
  const Volume v = run->download();
  return {{v.values.begin(), v.values.end()}, {run->residuals().begin(), run->residuals().end()}};
}

Reconstructed by_ranks(int count, const Projections& views, const Method& method, int slabs = 0) {
  std::vector<Reconstructed> parts(static_cast<std::size_t>(count));
  in_ranks(count, [&](const std::shared_ptr<Ranks>& ranks) {
    share_among(ranks, slabs);
    const auto backend = make_backend("gl");
    share_among(nullptr);
    parts[static_cast<std::size_t>(ranks->rank())] = reconstruct(*backend, views, method);
  });
  Reconstructed all = parts.front();
  for (std::size_t r = 1; r < parts.size(); ++r) {
    all.volume.insert(all.volume.end(), parts[r].volume.begin(), parts[r].volume.end());
    REQUIRE(parts[r].residuals == all.residuals);  // they stop together
  }
  return all;
}

void check_alike(const Reconstructed& parts, const Reconstructed& whole) {
  REQUIRE(parts.volume.size() == whole.volume.size());
  double square = 0, norm = 0;
  for (std::size_t i = 0; i < whole.volume.size(); ++i) {
    square += std::pow(double{parts.volume[i]} - double{whole.volume[i]}, 2);
    norm += std::pow(double{whole.volume[i]}, 2);
  }
  REQUIRE(norm > 0);
  CHECK(std::sqrt(square / norm) < 2e-5);
  REQUIRE(parts.residuals.size() == whole.residuals.size());
  for (std::size_t i = 0; i < whole.residuals.size(); ++i)
    CHECK(parts.residuals[i] == Approx(whole.residuals[i]).epsilon(1e-4));
}

}  // namespace

TEST_CASE("Iterations by two ranks on OpenGL give what one process gives") {
  const auto alone = make_backend("gl");
  const Projections views = consistent_data(*alone, small_scan());
  for (const std::string method : {"sirt", "ossart", "cgls", "fista", "tv", "pwls", "mlem"}) {
    INFO(method);
    const Method asked = options_of(method);
    check_alike(by_ranks(2, views, asked), reconstruct(*alone, views, asked));
  }
}

TEST_CASE("Slabs made one after another on OpenGL give what one process gives") {
  const auto alone = make_backend("gl");
  const Projections views = consistent_data(*alone, small_scan());
  for (const FilterVariant variant : {FilterVariant::host, FilterVariant::fft}) {  // in steps, and by the pipeline
    FdkOptions fdk;
    fdk.precision = Precision::exact;
    fdk.filter.variant = variant;
    const Reconstructed whole = reconstruct(*alone, views, fdk);
    check_alike(by_ranks(1, views, fdk, 3), whole);
    check_alike(by_ranks(2, views, fdk, 4), whole);
  }
}

TEST_CASE("A checkpoint of ranks on OpenGL is gone on from by other numbers of ranks") {
  const Scratch folder;
  const auto alone = make_backend("gl");
  const Projections views = consistent_data(*alone, small_scan());
  ReconOptions first = options_of("pwls"), rest = first;
  first.checkpoint = rest.resume = folder / "state.checkpoint";
  rest.iterations = 4;
  ReconOptions through = rest;
  through.resume.clear();
  const Reconstructed whole = reconstruct(*alone, views, through);
  by_ranks(2, views, first);
  check_alike(by_ranks(3, views, rest), whole);
  check_alike(reconstruct(*alone, views, rest), whole);
}

}  // namespace ranks_gl_test
