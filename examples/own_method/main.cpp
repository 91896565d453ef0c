// Reconstructs a head with a method of its own: own_method [DEVICE [PARAMETER=VALUE...]]
#include <cstdio>
#include <string>

#include <backlit/backlit.hpp>
#include "landweber.hpp"

using namespace backlit;

int main(int argc, char** argv) try {
  register_method(landweber_method());  // from here on "landweber" is a method like those of the engine
  Method method("landweber");
  for (int i = 2; i < argc; ++i) {
    const std::string given = argv[i];
    const auto equals = given.find('=');
    method.set(given.substr(0, equals), equals == std::string::npos ? "" : given.substr(equals + 1));
  }
  check(method);

  const Detector detector{.columns = 55, .rows = 15, .pixel_u = 10, .pixel_v = 20};  // mm
  Projections views(Scan{detector, circular_views(detector, equal_angles(40), 1000, 1500)});
  project_phantom(load_phantom("forbild-head"), views.scan, 0, views.scan.view_count(), 2, views.values.span());
  const auto source = std::make_shared<MemorySource>(std::move(views));

  const auto backend = make_backend(argc > 1 ? argv[1] : "cpu");
  const VolumeGrid grid{{41, 45, 17}, {6, 6, 12}, {0, 0, 0}};
  const auto run = make_reconstruction(*backend, source, grid, method);
  while (run->step() != Reconstruction::Status::finished) continue;
  const double first = run->residuals().front(), last = run->residuals().back();
  std::printf("%s on %s (%s): %zu iterations, %.1f %% of the data are left\n", method.info().title.c_str(),
              backend->device().c_str(), run->variant().c_str(), run->residuals().size(), 100 * last);
  return last < 0.2 * first ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "own_method: %s\n", error.what());
  return error.exit_code();
}
