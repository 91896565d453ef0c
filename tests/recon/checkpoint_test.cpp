// Runs that stop and go on.
#include <omp.h>
#include <sys/stat.h>

#include <fstream>

#include <backlit/core/error.hpp>
#include <backlit/recon/checkpoint.hpp>
#include "support/recon/recon_options.hpp"
#include "support/recon/small_problem.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using namespace backlit::test;

namespace checkpoint_test {
namespace {

bool is_variation(const std::string& method) { return method == "tv" || method == "pdhg" || method == "asdpocs"; }

ReconOptions options_of(const std::string& name, std::int64_t iterations) {
  const bool surrogates = name == "pwls with subsets";
  const std::string method = surrogates ? "pwls" : name;
  ReconOptions o{.method = method, .iterations = iterations};
  if (method == "ossart" || method == "osem" || method == "fista" || surrogates || is_variation(method)) o.subsets = 3;
  o.nonnegative = method != "cgls" && method != "pcg" && name != "pwls" && !is_variation(method);
  o.relaxation_decay = surrogates ? 0.3 : 0;
  o.mask = "cylinder";
  if (method == "pwls") {
    o.weights = "transmission";
    o.penalty = "qggmrf";
    o.momentum = 4;
  }
  return o;
}

std::vector<float> values(const Volume& v) { return {v.values.begin(), v.values.end()}; }

std::string read_all_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("A resumed run equals one that never stopped, bit for bit, with another number of threads") {
  const Scratch folder;
  const auto file = folder / "state.checkpoint";
  auto backend = make_backend("cpu");
  const int threads = omp_get_max_threads();
  for (const std::string method : {"sirt", "sart", "ossart", "fista", "cgls", "pcg", "pwls", "pwls with subsets", "tv",
                                   "pdhg", "asdpocs", "mlem", "osem"}) {
    INFO(method);
    omp_set_num_threads(1);
    const Run whole = run(options_of(method, 5), *backend, small_scan(11));
    omp_set_num_threads(3);
    ReconOptions first = options_of(method, 2);
    first.checkpoint = file;
    run(first, *backend, small_scan(11));
    ReconOptions rest = options_of(method, 5);
    rest.resume = file;
    const Run resumed = run(rest, *backend, small_scan(11));
    CHECK(values(resumed.volume) == values(whole.volume));
    CHECK(resumed.residuals == whole.residuals);
  }
  omp_set_num_threads(threads);
}

TEST_CASE("Checkpoints are written as often as asked, and after the last iteration") {
  const Scratch folder;
  const auto file = folder / "state.checkpoint";
  auto backend = make_backend("cpu");
  auto source = std::make_shared<MemorySource>(consistent_data(*backend, small_scan(6)));
  ReconOptions o{.method = "sirt", .iterations = 5, .checkpoint = file, .checkpoint_every = 2};
  auto recon = make_reconstruction(*backend, source, grid, o);
  std::vector<std::int64_t> held;
  for (auto status = recon->step(); status != Reconstruction::Status::finished; status = recon->step())
    if (status == Reconstruction::Status::iteration_done)
      held.push_back(std::filesystem::exists(file) ? Checkpoint(file).iterations() : 0);
  CHECK(held == std::vector<std::int64_t>{0, 2, 2, 4});
  CHECK(Checkpoint(file).iterations() == 5);
}

TEST_CASE("A checkpoint of another run is refused, naming what differs") {
  const Scratch folder;
  const auto file = folder / "state.checkpoint";
  auto backend = make_backend("cpu");
  ReconOptions o = options_of("ossart", 2);
  o.checkpoint = file;
  run(o, *backend, small_scan(6));
  const auto resume = [&](ReconOptions options, std::int64_t views = 6) {
    options.resume = file;
    auto source = std::make_shared<MemorySource>(Projections(small_scan(views)));
    auto recon = make_reconstruction(*backend, source, grid, options);
    while (recon->step() != Reconstruction::Status::finished) continue;
  };
  const auto says = [&](const std::string& text) { return file.string() + ": " + text; };
  CHECK_THROWS_WITH(resume(options_of("sirt", 4)),
                    says("method was ossart in the run that wrote it and is sirt now; resume with the same scan and "
                         "options"));
  ReconOptions other = options_of("ossart", 4);
  other.relaxation = 0.5;
  CHECK_THROWS_WITH(resume(other), Catch::StartsWith(says("relaxation was 1 in the run that wrote it and is 0.5 now")));
  other = options_of("ossart", 4);
  other.mask.clear();
  CHECK_THROWS_WITH(resume(other), Catch::StartsWith(says("mask was ")));
  CHECK_THROWS_WITH(resume(options_of("ossart", 4), 7), Catch::StartsWith(says("scan was 6 views with digest ")));
  CHECK_THROWS_WITH(resume(options_of("ossart", 4)), Catch::StartsWith(says("was written with other projections")));
  CHECK_THROWS_WITH(resume(options_of("ossart", 2)),
                    says("holds 2 iterations already; ask for more than that; `iterations` is 2"));
}

TEST_CASE("Damaged checkpoints are refused before anything is allocated for them") {
  const Scratch folder;
  const auto file = folder / "state.checkpoint", broken = folder / "broken";
  auto backend = make_backend("cpu");
  ReconOptions o{.method = "sirt", .iterations = 1, .checkpoint = file};
  run(o, *backend, small_scan(3));
  const std::string good = read_all_of(file);
  const auto opens = [&](const std::string& bytes) {
    std::ofstream(broken, std::ios::binary) << bytes;
    Checkpoint checkpoint(broken);
  };
  opens(good);
  CHECK_THROWS_WITH(Checkpoint(folder / "none"), Catch::Contains("none: cannot be read; name a file that"));
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(Checkpoint(pipe), InputError);
  CHECK_THROWS_WITH(opens("solid nonsense"), Catch::Contains("is no checkpoint"));
  CHECK_THROWS_WITH(opens(good.substr(0, good.size() - 9)), Catch::Contains("is damaged: it is cut off"));
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  CHECK_THROWS_WITH(opens(flipped), Catch::Contains("is damaged: its check sum is wrong"));
  // Every byte of the text part in turn, and every length: an error of ours or, for luck, none.
  const std::size_t text = good.find("]]}") + 3;
  for (std::size_t i = 0; i < text; i += 3) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 7)));
    CHECK_THROWS_AS(opens(damaged), InputError);
  }
  for (std::size_t length = 0; length < good.size(); length += good.size() / 50)
    CHECK_THROWS_AS(opens(good.substr(0, length)), InputError);
}

}  // namespace checkpoint_test
