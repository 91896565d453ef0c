#include <cmath>

#include "model/actions/action_groups.hpp"

namespace backlit::viewer {
namespace {

ActionInfo control(const char* name, const char* help, const char* shortcut, order::Control what, bool ends = false) {
  return {.name = name,
          .arguments = "",
          .help = help,
          .menu = "Reconstruction",
          .shortcut = shortcut,
          .ends_run = ends,
          .run = [what](Model& m, const Action&) { m.control(what); },
          .random = [name](Model&, std::mt19937&) { return Action{name}; }};
}

void choose_method(Model& m, const Action& a) {
  edit(m, a, [&](ViewState& s) { set_method(s.recon, a.arguments[0]); });
}

void set_parameter(Model& m, const Action& a) {
  ViewState next = m.state();
  find_state_parameter(next, a.arguments[0], m.list_mode()).set(a.arguments[1], "set");
  m.edit(std::move(next), "set " + a.arguments[0]);
}

/// Lengths of the view go with the pixel, so that everything stays where it was. So do attenuations that are
/// reconstructed; the values of a volume from a file stay.
void set_pixel(Model& m, const Action& a) {
  const auto& source = m.status().source;
  if (!source || source->pixel_size_in_file)
    throw InputError("pixel", source ? "the file gives the size" : "nothing is open", "open a file without it");
  const double pixel = number(a, 0);
  edit(m, a, [&](ViewState& s) {
    const double before = s.pixel > 0 ? s.pixel : 1, now = pixel > 0 ? pixel : 1;
    s.pixel = pixel;
    s.slices *= now / before;
    rescale_lengths(s, now / before);
    if (source->kind != SourceInfo::Kind::volume) rescale_values(s, before / now);
  });
}

Action random_method(Model&, std::mt19937& random) {
  static const std::vector<std::string> quick{"fdk",  "fdk",  "fdk",  "sirt", "sart", "ossart",
                                              "cgls", "mlem", "osem", "pwls", "fista"};
  return {"method", {any_of(random, quick)}};
}

/// A random change of an option of iterative methods; another method if the present one refuses the option.
Action random_tuning(Model& m, std::mt19937& random) {
  const auto whole = [&](int low, int high) {
    return std::to_string(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
  };
  const std::vector<Action> all{{"set", {"iterations", whole(1, 6)}},
                                {"set", {"subsets", whole(1, 70)}},
                                {"set", {"relaxation", digits(uniform(random, 0.1, 2))}},
                                {"set", {"nonnegative", random() % 2 ? "true" : "false"}},
                                {"set", {"penalty", any_of(random, std::vector<std::string>{"none", "qggmrf", "tv"})}},
                                {"set", {"weights", random() % 2 ? "transmission" : "none"}},
                                {"set", {"strength", digits(std::pow(10, uniform(random, -4, 1)))}},
                                {"set", {"penalty_q", digits(uniform(random, 1, 2))}},
                                {"set", {"penalty_edge", digits(std::pow(10, uniform(random, -5, -2)))}}};
  const Action& action = any_of(random, all);
  if (m.list_mode()) return action;
  ViewState copy = m.state();
  try {
    find_state_parameter(copy, "reconstruction." + action.arguments[0]).set(action.arguments[1]);
    check(method_of(copy.recon));
  } catch (const InputError&) {
    return random_method(m, random);
  }
  return action;
}

/// A random value of a choice, or of a scalar with a small range.
Action random_set(Model& m, std::mt19937& random) {
  if (random() % 3 == 0) return random_tuning(m, random);
  static const std::vector<std::pair<const char*, std::pair<double, double>>> ranges{
      {"center_shift", {-2, 2}}, {"offset_v", {-2, 2}}, {"tilt_n", {-2, 2}},     {"cutoff", {0.3, 1}},
      {"voxel", {4, 8}},         {"step", {0.5, 1}},    {"font_scale", {0.8, 2}}};
  static const std::vector<const char*> choices{"map", "transfer", "panes", "theme", "filter", "mode"};
  if (random() % 2) {
    const auto& [name, range] = any_of(random, ranges);
    return {"set", {name, digits(uniform(random, range.first, range.second))}};
  }
  ViewState copy = m.state();
  const std::string name = any_of(random, choices);
  const Parameter p = find_state_parameter(copy, name);
  const std::string value = any_of(random, p.choices);
  if (value == "custom" || value == "hilbert") return {"set", {name, p.text()}};
  return {"set", {name, value}};
}

void set_grid(Model& m, const Action& a) {
  edit(m, a, [&](ViewState& s) {
    const bool one = a.arguments.size() == 1;
    for (std::size_t i = 0; i < 3; ++i) s.grid.size[i] = integer(a, one ? 0 : i);
  });
}

}  // namespace

std::vector<ActionInfo> reconstruction_actions() {
  using order::Control;
  return {
      {.name = "reconstruct",
       .arguments = "",
       .help = "Reconstruct from scratch",
       .menu = "Reconstruction",
       .shortcut = "F5",
       .ends_run = true,
       .run =
           [](Model& m, const Action&) {
             if (!m.status().source || !m.status().source->can_run())
               throw InputError("reconstruct", "there are no projections", "open a scan");
             m.reconstruct();
           },
       .random =
           [](Model& m, std::mt19937&) {
             return m.status().source && m.status().source->can_run() ? Action{"reconstruct"} : Action{"cancel"};
           }},
      {.name = "pixel",
       .arguments = "MM",
       .help = "Size of the pixels of a file that does not give it; 0: unknown",
       .least = 1,
       .most = 1,
       .run = set_pixel},
      control("pause", "Pause", "Space", Control::pause),
      control("resume", "Resume", "Shift+Space", Control::resume),
      control("step", "Advance one update, then pause", "N", Control::step),
      control("finish", "Stop and keep the current volume", "Ctrl+Return", Control::finish),
      control("cancel", "Cancel", "Escape", Control::cancel, true),
      {.name = "answer",
       .arguments = "yes|no|undo",
       .help = "Whether a long run may be thrown away, when the window asks",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments[0] == "undo") {  // back to before the change
               const auto of_a_change = [&] { return m.status().question && m.status().question->action.name.empty(); };
               if (m.status().question && !of_a_change()) return m.answer(false);
               while (of_a_change() && m.undo()) {
               }
               return;
             }
             const bool yes = a.arguments[0] == "yes";
             if (!yes && a.arguments[0] != "no")
               throw InputError("answer", "'" + a.arguments[0] + "'", "yes, no or undo");
             m.answer(yes);
           }},
      {.name = "ask after",
       .arguments = "SECONDS",
       .help = "Ask before a run is thrown away that has taken longer; 0: never (scripts), a minute by hand",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             const double seconds = number(a, 0);
             if (!(seconds >= 0)) throw InputError("ask after", "negative", "give seconds, or 0");
             m.ask_after(seconds);
           }},
      {.name = "method",
       .arguments = "NAME",
       .help = "Reconstruction method: fdk, sirt, ossart, ...",
       .least = 1,
       .most = 1,
       .run = choose_method,
       .random = random_method},
      {.name = "set",
       .arguments = "PARAMETER VALUE",
       .help = "Any parameter by its name",
       .least = 2,
       .most = 2,
       .run = set_parameter,
       .random = random_set},
      {.name = "find center",
       .arguments = "",
       .help = "Find the column onto which the rotation axis projects",
       .menu = "Reconstruction",
       .title = "Find rotation axis",
       .run = [](Model& m, const Action&) { m.worker().give(order::FindCenter{m.state().recon.corrections}); }},
      {.name = "center",
       .arguments = "COLUMN",
       .help = "Column onto which the rotation axis projects",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (!m.status().source) throw InputError("center", "nothing is open", "open a scan");
             edit(m, a, [&](ViewState& s) { s.geometry.center_shift = number(a, 0) - m.status().source->center_px; });
           }},
      {.name = "grid",
       .arguments = "N | NX NY NZ",
       .help = "Voxels of the volume; 0: automatic",
       .least = 1,
       .most = 3,
       .run = set_grid,
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"grid", {std::to_string(16 + r() % 32)}};
           }},
      {.name = "reset geometry",
       .arguments = "",
       .help = "Geometry and region as the file says",
       .menu = "Reconstruction",
       .title = "Reset geometry and region",
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [](ViewState& s) {
               s.geometry = {};
               s.grid = {};
             });
           },
       .random = [](Model&, std::mt19937&) { return Action{"reset geometry"}; }},
  };
}

}  // namespace backlit::viewer
