// What compares two volumes.
#include "model/actions/action_groups.hpp"

namespace backlit::viewer {
namespace {

void require_pinned(const Model& m, const std::string& where) {
  if (!m.status().pinned) throw InputError(where, "nothing is pinned", "pin a volume, or open one as A");
}

}  // namespace

std::vector<ActionInfo> pair_actions() {
  return {
      {.name = "pin",
       .arguments = "",
       .help = "Keep the present volume as A, to compare others with it",
       .menu = "Tools",
       .title = "Pin the volume as A",
       .shortcut = "P",
       .run = [](Model& m, const Action&) { m.pin(); },
       .random = [](Model& m, std::mt19937&) { return Action{m.status().generation > 0 ? "pin" : "unpin"}; }},
      {.name = "pin file",
       .arguments = "FILE",
       .help = "Open a volume as A, to show it with the present one: PET over CT, an earlier scan",
       .menu = "Tools",
       .title = "Open a volume as A ...",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             if (a.arguments.empty()) return require(m.hooks.ask_path, "pin file")(a, "");
             m.pin_file(a.arguments[0]);
           }},
      {.name = "unpin",
       .arguments = "",
       .help = "Let go of A",
       .menu = "Tools",
       .title = "Unpin A",
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [](ViewState& s) {
               s.pinned.file.clear();
               s.pinned.kept = 0;
             });
             m.unpin();
           },
       .random = [](Model&, std::mt19937&) { return Action{"unpin"}; }},
      {.name = "compare",
       .arguments = "off|wipe|flicker|flip|side|difference|overlay",
       .help = "Show the pinned volume A with the present one, B",
       .least = 1,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             edit(m, a, [&](ViewState& s) { find_state_parameter(s, "compare").set(a.arguments[0], a.name); });
           },
       .random =
           [](Model&, std::mt19937& r) {
             return Action{"compare", {any_of(r, compare_modes())}};
           }},
      {.name = "flip",
       .arguments = "",
       .help = "Show A in place of B, and B again: before and after",
       .menu = "Tools",
       .title = "Flip A and B",
       .shortcut = "A",
       .run =
           [](Model& m, const Action& a) {
             require_pinned(m, a.name);
             edit(m, a, [](ViewState& s) {
               const bool first = s.layout.compare != "flip";
               s.layout.compare = "flip";
               s.layout.flipped = first || !s.layout.flipped;
             });
           },
       .random = [](Model& m, std::mt19937&) { return Action{m.status().pinned ? "flip" : "unpin"}; }},
      {.name = "compare numbers",
       .arguments = "",
       .help = "RMSE and SSIM of B against A",
       .run =
           [](Model& m, const Action&) {
             require_pinned(m, "compare");
             m.worker().give(order::CompareVolumes{m.state().pinned});
           }},
      {.name = "register",
       .arguments = "",
       .help = "Move and turn A onto B by mutual information, from where it lies",
       .menu = "Tools",
       .title = "Register A to B",
       .run =
           [](Model& m, const Action&) {
             require_pinned(m, "register");
             m.worker().give(order::Register{m.state().pinned});
           }},
      {.name = "align reset",
       .arguments = "",
       .help = "Put A back to where it came from",
       .run = [](Model& m,
                 const Action& a) { edit(m, a, [](ViewState& s) { s.pinned.move = s.pinned.turn = Vec3(0); }); },
       .random = [](Model&, std::mt19937&) { return Action{"align reset"}; }},
      {.name = "export pinned",
       .arguments = "FILE",
       .help = "Save A as it lies, at the voxels of B",
       .menu = "File/Export",
       .title = "A on the voxels of B ...",
       .least = 0,
       .most = 1,
       .run =
           [](Model& m, const Action& a) {
             require_pinned(m, "export pinned");
             if (a.arguments.empty()) return require(m.hooks.ask_path, "export pinned")(a, "registered.mha");
             m.worker().give(order::ExportPinned{a.arguments[0], m.state().pinned});
           }},
      {.name = "attenuation pinned",
       .arguments = "",
       .help = "PET: A, where it lies now, is the attenuation map",
       .run =
           [](Model& m, const Action& a) {
             require_pinned(m, a.name);
             if (m.state().pinned.file.empty())
               throw InputError(a.name, "A is not from a file", "save it: File > Export > A on the voxels of B");
             edit(m, a, [](ViewState& s) {
               s.pet.attenuation = s.pinned.file;
               s.pet.attenuation_move = s.pinned.move;
               s.pet.attenuation_turn = s.pinned.turn;
             });
           }},
  };
}

}  // namespace backlit::viewer
