// An engine on the test's own thread.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "model/engine/engine.hpp"
#include "model/values/point_sampler.hpp"
#include "viewer/viewer_support.hpp"

namespace backlit::test {

/// Its runs find the next order in `waiting`.
struct EngineBench {
  std::shared_ptr<gl::Context> context = gl::Context::create();
  gl::GlDisplayVolume display{context};
  viewer::DisplayGate gate;
  std::vector<viewer::Event> events;
  std::deque<viewer::order::Run> waiting;
  viewer::Engine engine{{.context = context,
                         .display = &display,
                         .gate = &gate,
                         .emit = [this](viewer::Event e) { events.push_back(std::move(e)); },
                         .take_run = [this](double, const auto& fits) -> std::optional<viewer::order::Run> {
                           if (waiting.empty() || !fits(waiting.front())) return {};
                           const viewer::order::Run run = waiting.front();
                           waiting.pop_front();
                           return run;
                         },
                         .at_once_seconds = 1e3}};  // also on slow machines
  CancelToken never;
  viewer::PointSampler sampler;

  EngineBench() { engine.obey(viewer::order::Open{"demo:spheres"}, never); }

  static viewer::order::Run wanted(double shift, double cutoff = 1) {
    viewer::order::Run run;
    run.grid.size = {20, 20, 20};
    run.geometry.center_shift = shift;
    run.recon.method.get<FdkOptions>()->filter.cutoff = cutoff;
    return run;
  }
  void finish(const viewer::order::Run& run) {
    engine.obey(run, never);
    while (engine.busy() && !engine.histogram_pending()) engine.work(never);
  }
  std::int64_t finished() const {
    return std::count_if(events.begin(), events.end(), [](const viewer::Event& e) {
      const auto* f = std::get_if<viewer::event::Finished>(&e);
      return f && f->complete;
    });
  }
  /// Values of the volume shown at some points.
  std::vector<float> shown() {
    const auto front = display.front();
    return sampler.values(front, viewer::spread_points(front.grid, 4000));
  }
};

}  // namespace backlit::test
