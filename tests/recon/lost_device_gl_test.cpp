// Devices without room and devices that are lost, stood in for by what the driver answers.
#include <dlfcn.h>

#include <backlit/core/error.hpp>
#include <backlit/recon/session.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/recon/small_problem.hpp"
#include "support/relative_l2.hpp"
#include "support/scratch.hpp"

namespace {

int errors_left = -1;  ///< questions until the driver answers with `error`; negative: never
GLenum error = GL_OUT_OF_MEMORY;

}  // namespace

/// In front of the driver's own. A lost device stays lost; room that was missing may be there for the next call.
extern "C" GLenum GLAPIENTRY glGetError() {
  using Driver = GLenum(GLAPIENTRY*)();
  static const auto driver = reinterpret_cast<Driver>(::dlsym(RTLD_NEXT, "glGetError"));
  if (errors_left < 0) return driver();
  if (errors_left > 0) {
    --errors_left;
    return driver();
  }
  if (error == GL_OUT_OF_MEMORY) errors_left = -1;
  return error;
}

namespace backlit::gl {
namespace {

/// What a run of three iterations says when it fails; empty when it does not.
std::string failure(Backend& backend, const ReconOptions& options, const Projections& views) {
  try {
    auto recon = make_reconstruction(
        backend, std::make_shared<MemorySource>(Projections(views.scan, views.values.clone())), test::grid, options);
    while (recon->step() != Reconstruction::Status::finished) continue;
    recon->download();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

/// Fails at one question after the other until a run asks no more; how often it failed.
int fail_at_each(Backend& backend, const ReconOptions& options, GLenum answer, const std::string& text) {
  const Projections views = test::consistent_data(backend, test::small_scan());
  error = answer;
  int failed = 0;
  for (bool over = false; !over && failed < 300;) {
    errors_left = failed;
    const std::string said = failure(backend, options, views);
    over = errors_left > 0 || said.empty();
    errors_left = -1;
    INFO(options.method << ", question " << failed);
    if (over) break;
    CHECK_THAT(said, Catch::Contains(text));
    CHECK(said.find('\n') == std::string::npos);
    ++failed;
  }
  CHECK(failure(backend, options, views).empty());  // as good as ever
  return failed;
}

}  // namespace

TEST_CASE("A device that has no room, or is lost, at any moment: a failure in one line, and the next run is good") {
  GlBackend backend(test_context());
  backend.activate();
  for (const char* method : {"fdk", "sirt"}) {
    ReconOptions options{.method = method};
    if (options.method != "fdk") options.iterations = 3;
    CHECK(fail_at_each(backend, options, GL_OUT_OF_MEMORY, "no room") > 3);
    CHECK(fail_at_each(backend, options, GL_CONTEXT_LOST, "the device was lost") > 1);
  }
}

namespace {

std::vector<float> finished(SessionRun& run) {
  run.finish();
  const Volume volume = run.download();
  return {volume.values.begin(), volume.values.end()};
}

/// What sessions tell is added to `told`.
Session session_on(const std::string& backend, const std::string& on_failure,
                   std::vector<std::string>* told = nullptr) {
  SessionOptions options;
  options.device.backend = backend;
  options.on_failure = on_failure;
  if (told) options.on_failover = [told](const std::string& sentence) { told->push_back(sentence); };
  options.grid.size = test::grid.size;
  return Session(std::make_shared<MemorySource>(test::consistent_data(*make_backend("cpu"), test::small_scan())),
                 options);
}

}  // namespace

TEST_CASE("Iterations go on on another backend when the device is lost, from the last checkpoint") {
  std::vector<std::string> told;
  Session on_cpu = session_on("cpu", "stop"), on_gl = session_on("gl", "cpu", &told);
  const test::Scratch folder;
  // All kinds of state that a checkpoint may have: arrays of volumes and views, numbers.
  for (const std::string name : {"fdk", "sirt", "cgls", "fista", "pdhg", "tv", "asdpocs"}) {
    INFO(name);
    Method method(name);
    if (method.has("iterations")) method.set("iterations", "4");
    method.set("precision", "exact");
    const auto reference = finished(*on_cpu.start(method));
    const std::string file = folder / (name + ".checkpoint");
    if (method.get<IterationOptions>()) {
      method.set("checkpoint", file);
      method.set("checkpoint_every", "2");
    }
    const auto run = on_gl.start(method);
    told.clear();
    while (run->reconstruction().residuals().size() < 3 && run->step() != Reconstruction::Status::finished)
      if (name == "fdk") break;
    error = GL_CONTEXT_LOST;
    errors_left = 0;
    const auto volume = finished(*run);
    errors_left = -1;
    REQUIRE(told.size() == 1);
    CHECK_THAT(told[0], Catch::Contains("gl failed (OpenGL: the device was lost"));
    CHECK_THAT(told[0], Catch::Contains(method.get<IterationOptions>() ? "from iteration 2" : "from the beginning"));
    CHECK(run->report().backend == "cpu");
    // asdpocs goes by how far its steps change the volume, which rounding changes.
    CHECK(test::relative_l2(volume, reference) < (name == "asdpocs" ? 1e-3 : 1e-4));
  }
}

TEST_CASE("A run that is not asked to go on stops with its device") {
  Session session = session_on("gl", "stop");
  const auto run = session.start("sirt");
  error = GL_CONTEXT_LOST;
  errors_left = 0;
  CHECK_THROWS_AS(run->finish(), Failure);
  errors_left = -1;
}

TEST_CASE("What the other backend refuses is refused before any work") {
  Session session = session_on("gl", "cpu");
  Method method("sirt");
  method.set("packing", "orbit");
  CHECK_THROWS_AS(session.start(method), Unsupported);
}

}  // namespace backlit::gl
