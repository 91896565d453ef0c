// What an action needs to have an effect: menus and buttons are grey without it.
#include <algorithm>
#include <map>

#include "model/actions/actions.hpp"
#include "model/model.hpp"
#include "model/values/materials.hpp"

namespace backlit::viewer {
namespace {

using Test = bool (*)(const Model&);

bool has_views(const Model& m) { return m.status().source && m.status().source->has_views; }
bool can_run(const Model& m) { return m.status().source && m.status().source->can_run(); }
bool runs(const Model& m) { return m.status().running; }
bool has_volume(const Model& m) { return m.status().generation > 0; }
bool has_pinned(const Model& m) { return m.status().pinned.has_value(); }
bool has_histogram(const Model& m) { return m.status().histogram != nullptr; }
bool draws_scan(const Model& m) {
  const auto& source = m.status().source;
  return source && (!source->scan.views.empty() || source->list);
}
bool busy(const Model& m) { return m.status().running || m.status().opening || !m.status().activity.empty(); }
bool has_profile(const Model& m) {
  return std::ranges::count(m.state().measurements, Measurement::Kind::profile, &Measurement::kind) > 0;
}

const std::map<std::string, Test>& tests() {
  static const std::map<std::string, Test> all{
      {"undo", [](const Model& m) { return !m.history().undo_name().empty(); }},
      {"redo", [](const Model& m) { return !m.history().redo_name().empty(); }},
      {"dismiss", [](const Model& m) { return !m.status().errors.empty(); }},
      {"reconstruct", can_run},
      {"pause", [](const Model& m) { return runs(m) && !m.status().paused; }},
      {"resume", [](const Model& m) { return runs(m) && m.status().paused; }},
      {"step", runs},
      {"finish", runs},
      {"cancel", busy},
      {"find center", has_views},
      {"calibrate", has_views},
      {"take calibration", [](const Model& m) { return m.status().calibration != nullptr; }},
      {"reset geometry", can_run},
      {"nudge down", has_views},
      {"nudge up", has_views},
      {"jump down", has_views},
      {"jump up", has_views},
      {"layout projections", has_views},
      {"layout centers", has_views},
      {"layout geometry", draws_scan},
      {"toggle geometry", draws_scan},
      {"toggle source", draws_scan},
      {"window", has_histogram},
      {"play", has_volume},
      {"pin", has_volume},
      {"unpin", has_pinned},
      {"flip", has_pinned},
      {"register", [](const Model& m) { return has_pinned(m) && has_volume(m); }},
      {"export pinned", has_pinned},
      {"wall thickness", has_volume},
      {"find materials", has_histogram},
      {"tissue materials", [](const Model& m) { return m.knows_hu(); }},
      {"keyframe", has_volume},
      {"clip box", has_volume},
      {"tool distance", has_volume},
      {"tool angle", has_volume},
      {"tool profile", has_volume},
      {"tool region", has_volume},
      {"tool note", has_volume},
      {"measure clear", [](const Model& m) { return !m.state().measurements.empty(); }},
      {"clip clear", [](const Model& m) { return !m.state().clips.empty(); }},
      {"surface clear", [](const Model& m) { return !m.state().surfaces.empty(); }},
      {"keyframe clear", [](const Model& m) { return !m.state().keyframes.empty(); }},
      {"brush clear", [](const Model& m) { return !m.state().segment.balls.empty(); }},
      {"material clear", [](const Model& m) { return !m.state().materials.empty(); }},
      {"transfer clear", [](const Model& m) { return !box_function(m.state().display).boxes.empty(); }},
      {"export oblique", [](const Model& m) { return m.state().oblique.shown; }},
      {"export path", [](const Model& m) { return m.state().keyframes.size() > 1; }},
      {"export residuals", [](const Model& m) { return !m.status().residuals.empty(); }},
      {"export throughput", [](const Model& m) { return !m.status().throughput.empty(); }},
      {"export intervals", [](const Model& m) { return !m.status().interval_rates.all().empty(); }},
      {"export profile", has_profile},
      {"export measurements", [](const Model& m) { return !m.state().measurements.empty(); }},
      {"export report", [](const Model& m) { return m.status().report != nullptr; }},
  };
  return all;
}

}  // namespace

bool possible(const Model& model, const std::string& action) {
  const auto found = tests().find(action);
  return found == tests().end() || found->second(model);
}

}  // namespace backlit::viewer
