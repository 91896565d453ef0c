// The picture at the beginning of iterative methods, which have no volume yet.
#include <catch2/catch.hpp>

#include <backlit/io/volumes/volume_file.hpp>
#include "viewer/engine_bench.hpp"

using namespace backlit;
using namespace backlit::viewer;

namespace first_picture_test {
namespace {

struct Bench : test::EngineBench {
  test::Scratch folder;

  static order::Run iterated(const std::string& method) {
    order::Run run = wanted(0);
    run.grid.size = {24, 24, 24};  // differs from the previous grid
    run.recon.method = Method(method);
    run.recon.method.set("iterations", "100000");
    if (method == "ossart") run.recon.method.set("subsets", "6");
    return run;
  }
  std::int64_t published() const {
    return std::count_if(events.begin(), events.end(),
                         [](const Event& e) { return std::holds_alternative<event::Published>(e); });
  }
  Volume exported() {
    const auto path = folder.path() / "shown.mha";
    engine.obey(order::ExportVolume{path.string()}, never);
    return load_volume(path);
  }
};

bool is_empty(const std::vector<float>& values) {
  return std::ranges::all_of(values, [&](float v) { return v == values.front(); });
}

}  // namespace

TEST_CASE("What is shown stays until a method that iterates has something to show") {
  for (const std::string method : {"sirt", "ossart", "cgls", "mlem"}) {
    INFO(method);
    Bench bench;
    bench.finish(Bench::wanted(0));
    const auto before = bench.shown();
    REQUIRE_FALSE(is_empty(before));
    const std::int64_t pictures = bench.published();
    bench.engine.obey(Bench::iterated(method), bench.never);
    std::int64_t steps = 0;
    for (; bench.published() == pictures; ++steps) {
      CHECK(bench.shown() == before);
      if (steps == 1) {
        CHECK(bench.exported().grid.size == Size3{20, 20, 20});
        CHECK_NOTHROW(bench.engine.obey(order::Compare{0}, bench.never));
      }
      bench.engine.work(bench.never);
    }
    CHECK(steps > 2);
    CHECK_FALSE(is_empty(bench.shown()));
    CHECK(bench.display.front().grid.size == Size3{24, 24, 24});
    CHECK(bench.exported().grid.size == Size3{24, 24, 24});
  }
}

TEST_CASE("A method that iterates and is started anew shows its former volume until it has another") {
  for (const std::string method : {"sirt", "cgls"}) {
    INFO(method);
    Bench bench;
    order::Run run = Bench::iterated(method);
    run.recon.method.set("iterations", "2");
    bench.finish(run);
    const auto before = bench.shown();
    REQUIRE_FALSE(is_empty(before));
    const std::int64_t pictures = bench.published();
    bench.engine.obey(run, bench.never);
    for (; bench.engine.busy() && bench.published() == pictures; bench.engine.work(bench.never))
      CHECK(bench.shown() == before);
    CHECK(bench.published() > pictures);
    CHECK_FALSE(is_empty(bench.shown()));
  }
}

TEST_CASE("A run that is cancelled before it had anything to show leaves all as it was") {
  Bench bench;
  bench.finish(Bench::wanted(0));
  const auto before = bench.shown();
  bench.engine.obey(Bench::iterated("sirt"), bench.never);
  bench.engine.work(bench.never);
  bench.engine.obey(order::Control::cancel, bench.never);
  CHECK(bench.shown() == before);
  CHECK(bench.exported().grid.size == Size3{20, 20, 20});
  CHECK_NOTHROW(bench.engine.obey(order::Compare{0}, bench.never));
  // The next run may be planned during this one.
  bench.finish(Bench::wanted(2));
  CHECK_FALSE(bench.shown() == before);
}

TEST_CASE("The first run of all shows what it has") {
  Bench bench;
  bench.engine.obey(Bench::iterated("sirt"), bench.never);
  bench.engine.work(bench.never);
  CHECK(bench.published() == 1);
}

}  // namespace first_picture_test
