// Materials: ranges of values with a name, a colour and an opacity.
#include <algorithm>

#include "model/actions/action_groups.hpp"
#include "model/values/materials.hpp"

namespace backlit::viewer {
namespace {

/// Adds a material, or changes the one of that name.
void set_material(Model& m, const Action& a) {
  edit(m, a, [&](ViewState& s) {
    const auto known = std::ranges::find(s.materials, a.arguments[0], &Material::name);
    Material made =
        known == s.materials.end() ? Material{.name = a.arguments[0], .color = next_color(s.materials)} : *known;
    if (known != s.materials.end()) s.materials.erase(known);
    made.low = number(a, 1);
    made.high = number(a, 2);
    if (a.arguments.size() > 3) made.opacity = number(a, 3);
    if (a.arguments.size() > 4) made.color = a.arguments[4];
    s.materials.insert(std::ranges::upper_bound(s.materials, made.low, {}, &Material::low), made);
    s.display.materials = true;
  });
}

void find_materials(Model& m, const Action& a) {
  const std::int64_t classes = a.arguments.empty() ? 3 : integer(a, 0);
  if (classes < 2 || classes > static_cast<std::int64_t>(most_materials))
    throw InputError(a.name, fmt::format("{} materials", classes), fmt::format("give 2 to {}", most_materials));
  if (!m.status().histogram) throw InputError(a.name, "there is no volume yet", "wait for it");
  edit(m, a, [&](ViewState& s) {
    s.materials = found_materials(m.status().histogram->sorted, static_cast<std::size_t>(classes));
    s.display.materials = true;
  });
}

void add_box(Model& m, const Action& a) {
  TransferFunction f = box_function(m.state().display);
  if (f.boxes.size() >= TransferFunction::most_boxes)
    throw InputError(a.name, fmt::format("there are {}", f.boxes.size()), "remove one: transfer clear removes all");
  TransferFunction::Box box{number(a, 0), number(a, 1), number(a, 2), number(a, 3), Vec3(1), 0.5};
  if (a.arguments.size() > 4) box.opacity = number(a, 4);
  if (a.arguments.size() > 5) {
    const Rgb c = color_from(a.arguments[5], a.name);
    box.color = Vec3(c.r, c.g, c.b) / 255.0;
  }
  f.boxes.push_back(box);
  edit(m, a, [&](ViewState& s) {
    show_boxes(s.display, parse_transfer_function(to_text(f), a.name));  // which checks the box
    s.display.mode = "dvr";
    s.display.materials = false;
  });
}

}  // namespace

std::vector<ActionInfo> material_actions() {
  return {
      {.name = "material",
       .arguments = "NAME LOW HIGH [OPACITY [COLOUR]]",
       .help = "Add a material, or change it: the values that it has, opacity 0 to 1, colour as c05030",
       .least = 3,
       .most = 5,
       .run = set_material,
       .random =
           [](Model& m, std::mt19937& r) {
             if (!m.state().materials.empty()) return Action{"material clear"};
             return Action{"material", {"stone", digits(uniform(r, 0, 0.01)), digits(uniform(r, 0.02, 0.05))}};
           }},
      {.name = "find materials",
       .arguments = "[NUMBER]",
       .help =
           "Part the volume's values into materials (Otsu's thresholds): 3, or so many; the first is what surrounds",
       .menu = "Tools",
       .title = "Find materials",
       .least = 0,
       .most = 1,
       .run = find_materials,
       .random =
           [](Model& m, std::mt19937& r) {
             if (!m.status().histogram) return Action{"material clear"};
             return Action{"find materials", {std::to_string(2 + r() % 4)}};
           }},
      {.name = "tissue materials",
       .arguments = "",
       .help = "Materials of a patient by Hounsfield units: air, fat, soft tissue, bone",
       .menu = "Tools",
       .title = "Tissues as materials",
       .run =
           [](Model& m, const Action& a) {
             if (!m.knows_hu()) throw InputError(a.name, "the volume has no Hounsfield units", "use 'find materials'");
             edit(m, a, [](ViewState& s) {
               s.materials = tissue_materials(s.display.water, s.display.air);
               s.display.materials = true;
             });
           }},
      {.name = "transfer box",
       .arguments = "LOW HIGH GRADIENT_LOW GRADIENT_HIGH [OPACITY [COLOUR]]",
       .help =
           "Show values of a range where they change by so much per mm, in mode dvr; opacity 0 to 1, colour as c05030",
       .least = 4,
       .most = 6,
       .run = add_box,
       .random =
           [](Model& m, std::mt19937& r) {
             if (box_function(m.state().display).boxes.size() > 2) return Action{"transfer clear"};
             return Action{"transfer box",
                           {"0.005", digits(uniform(r, 0.01, 0.05)), "0", digits(uniform(r, 0.001, 0.1))}};
           }},
      list_clear("transfer clear", "Remove the boxes of the transfer function",
                 [](ViewState& s) {
                   if (!box_function(s.display).boxes.empty()) show_boxes(s.display, {});
                 }),
      list_clear("material clear", "Clear materials", [](ViewState& s) { s.materials.clear(); }),
  };
}

}  // namespace backlit::viewer
