// What marks and measures a part of the volume.
#include <fmt/ranges.h>
#include "model/actions/action_groups.hpp"

#include <backlit/io/file_format.hpp>
#include <backlit/io/mesh_file.hpp>

namespace backlit::viewer {
namespace {

void paint(Model& m, const Action& a, bool added) {
  const double radius = number(a, 3);
  if (!(radius > 0)) throw InputError(a.name, fmt::format("a radius of {}", radius), "give a positive one");
  edit(m, a, [&](ViewState& s) {
    s.segment.balls.push_back({vector(a, 0), radius, added});
    s.segment.shown = true;
  });
}

}  // namespace

std::vector<ActionInfo> segment_actions() {
  return {
      {.name = "toggle segment",
       .arguments = "",
       .help = "Segment on or off",
       .menu = "Tools",
       .title = "Segment",
       .run = [](Model& m, const Action& a) { edit(m, a, [](ViewState& s) { s.segment.shown = !s.segment.shown; }); },
       .random = [](Model&, std::mt19937&) { return Action{"toggle segment"}; },
       .checked = [](const Model& m) { return m.state().segment.shown; }},
      {.name = "segment",
       .arguments = "auto | LOW HIGH",
       .help = "The values that belong to the segment; auto: from the automatic surface's value up",
       .least = 1,
       .most = 2,
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) {
               if (a.arguments.size() == 1 && a.arguments[0] != "auto")
                 throw InputError("segment", "two values are wanted", "or auto");
               s.segment.low = a.arguments.size() == 2 ? number(a, 0) : 0;
               s.segment.high = a.arguments.size() == 2 ? number(a, 1) : 0;
               s.segment.shown = true;
             });
           },
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"segment", {digits(uniform(r, 0, 0.02)), digits(uniform(r, 0.02, 0.05))}};
           }},
      {.name = "paint",
       .arguments = "X Y Z RADIUS",
       .help = "Add a ball to the segment, mm",
       .least = 4,
       .most = 4,
       .run = [](Model& m, const Action& a) { paint(m, a, true); }},
      {.name = "erase",
       .arguments = "X Y Z RADIUS",
       .help = "Take a ball from the segment, mm",
       .least = 4,
       .most = 4,
       .run = [](Model& m, const Action& a) { paint(m, a, false); },
       .random =
           [](Model& m, std::mt19937& r) {
             Action a{"erase", words(any_point(m, r))};
             a.arguments.push_back(digits(uniform(r, 1, 9)));
             return a;
           }},
      list_clear("brush clear", "Clear the brush", [](ViewState& s) { s.segment.balls.clear(); }),
      {.name = "segment numbers",
       .arguments = "",
       .help = "Volume and surface of the segment",
       .run = [](Model& m, const Action&) { m.measure_segment(); }},
      {.name = "wall thickness",
       .arguments = "",
       .help = "Map of the segment's wall thickness, shown as A over the volume",
       .menu = "Tools",
       .title = "Wall thickness",
       .run = [](Model& m, const Action&) { m.measure_thickness(); }},
      {.name = "export surface",
       .arguments = "FILE",
       .help = "Save the surface of the segment, or of the automatic surface's value, as .stl or .ply",
       .menu = "File/Export",
       .title = "Surface (.stl, .ply) ...",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return require(m.hooks.ask_path, "export surface")(a, "surface.stl");
             if (!has_extension(a.arguments[0], mesh_extensions()))
               throw InputError(a.arguments[0], "this is no name of a surface",
                                fmt::format("use {}", fmt::join(mesh_extensions(), " or ")));
             m.measure_segment(a.arguments[0]);
           }},
  };
}

}  // namespace backlit::viewer
