// The rows of the action table, one file for each group, and their shared functions.
#pragma once

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include "model/actions/actions.hpp"
#include "model/model.hpp"

namespace backlit::viewer {

std::vector<ActionInfo> file_actions();            ///< open, save, export
std::vector<ActionInfo> import_actions();          ///< files that say nothing of themselves
std::vector<ActionInfo> reconstruction_actions();  ///< run, pause, parameters
std::vector<ActionInfo> calibration_actions();     ///< the geometry found, and turned by keys
std::vector<ActionInfo> view_actions();            ///< window, camera, slices, layout
std::vector<ActionInfo> tool_actions();            ///< measurements, clips, keyframes, undo
std::vector<ActionInfo> pair_actions();            ///< the pinned volume and the present one
std::vector<ActionInfo> segment_actions();         ///< a part of the volume: values, brush, surface
std::vector<ActionInfo> material_actions();        ///< ranges of values with colours
std::vector<ActionInfo> input_actions();           ///< mouse and keys, for scripts
std::vector<ActionInfo> script_actions();          ///< wait and expect

inline constexpr std::size_t any_number = 1000;  ///< number of arguments; in practice no limit

/// Copies the state, applies change(copy) and sets the copy as the state.
template <class Change>
void edit(Model& model, const Action& action, Change&& change) {
  ViewState next = model.state();
  change(next);
  model.edit(std::move(next), action.name);
}

/// Empties a list of the state.
inline ActionInfo list_clear(const char* name, const char* title, void (*clear)(ViewState&)) {
  return {.name = name,
          .arguments = "",
          .help = title,
          .menu = "Tools",
          .title = title,
          .run = [clear](Model& m, const Action& a) { edit(m, a, [&](ViewState& s) { clear(s); }); },
          .random = [name](Model&, std::mt19937&) { return Action{name}; }};
}

/// Three numbers from an argument on.
inline Vec3 vector(const Action& a, std::size_t first) {
  return {number(a, first), number(a, first + 1), number(a, first + 2)};
}

/// Throws InputError if there is no window to call the hook.
template <class Hook>
const Hook& require(const Hook& hook, const char* action) {
  if (!hook) throw InputError(action, "takes a window", "start backlit-view");
  return hook;
}

// For random actions.
inline double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}
template <class List>
const auto& any_of(std::mt19937& random, const List& list) {
  return list[random() % list.size()];
}
inline std::string digits(double value) { return fmt::format("{:.4g}", value); }
/// A random point in the volume shown.
inline Vec3 any_point(Model& model, std::mt19937& random) {
  const VolumeGrid& grid = model.status().grid;
  const Vec3 share(uniform(random, 0, 1), uniform(random, 0, 1), uniform(random, 0, 1));
  return count(grid.size) > 0 ? glm::mix(grid.lower(), grid.upper(), share) : 50.0 * (share - 0.5);
}
inline std::vector<std::string> words(const Vec3& v) { return {digits(v.x), digits(v.y), digits(v.z)}; }

}  // namespace backlit::viewer
