#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

constexpr std::array<std::string_view, 7> usual_options{"iterations",  "subsets",    "tof",       "psf",
                                                        "post_filter", "tube_width", "likelihood"};

Zero meaning_of_zero(std::string_view option) {
  if (option == "psf" || option == "post_filter") return {"off"};
  return option == "tube_width" ? Zero{"automatic (2 voxels)"} : Zero{};
}

}  // namespace

void pet_panel(Frame& frame) {
  if (!frame.model.list_mode()) return;
  if (!section("List-mode OSEM")) return;
  Parameters list, shared;
  for (StateSection& s : describe(frame.next)) {
    if (s.name == "pet") list = std::move(s.parameters);
    if (s.name == "reconstruction") shared = std::move(s.parameters);
  }
  for (const std::string_view name : usual_options)
    edit_row(frame, of(list, std::string(name)), 0.05, nullptr, meaning_of_zero(name));
  const std::string map = frame.next.pet.attenuation;
  path_row(frame, of(list, "attenuation"), {"attenuation"});
  PetState& pet = frame.next.pet;
  if (pet.attenuation != map) pet.attenuation_move = pet.attenuation_turn = Vec3(0);
  const PinnedState& a = frame.next.pinned;
  const bool lies_there = pet.attenuation_move == a.move && pet.attenuation_turn == a.turn;
  if (frame.status.pinned && (a.file.empty() || a.file != pet.attenuation || !lies_there)) {
    ImGui::BeginDisabled(a.file.empty());
    if (ImGui::Button("A is the attenuation map", {-1, 0})) frame.act("attenuation pinned");
    ImGui::EndDisabled();
    name_item("A is the attenuation map");
    tooltip(a.file.empty() ? "A is in no file: save it by File > Export > A on the voxels of B, and take that file"
                           : "A holds attenuation in 1/mm: correct for it, where A lies now");
  }
  if (frame.status.source->list->summary.mean_acf > 0 && frame.next.pet.attenuation.empty())
    warning("The events hold attenuation factors: choose the attenuation map; otherwise the image is too dark inside.");
  const ListFacts& facts = *frame.status.source->list;
  if (facts.absolute) {
    const auto of_list = [](double value, const char* unit) {
      return value > 0 ? fmt::format("the list's ({:.4g} {})", value, unit) : std::string("unknown");
    };
    edit_row(frame, of(list, "weight"), 0.1, nullptr, {of_list(facts.info.weight_kg, "kg"), facts.info.weight_kg});
    const double dose = 1e-6 * facts.info.dose_bq;
    edit_row(frame, of(list, "dose"), 0.5, nullptr, {of_list(dose, "MBq"), dose});
  }
  edit_row(frame, of(shared, "follow"));
  if (!ImGui::TreeNodeEx("all parameters", ImGuiTreeNodeFlags_SpanAvailWidth)) return name_item("all parameters");
  name_item("all parameters");
  path_row(frame, of(list, "scanner"), {"scanner"});
  edit_row(frame, of(shared, "backend"));
  edit_row(frame, of(shared, "on_failure"));
  for (const Parameter& p : list) {
    const bool seen = std::ranges::count(usual_options, p.name) || p.name == "attenuation" || p.name == "scanner" ||
                      p.name == "weight" || p.name == "dose";
    if (!seen) edit_row(frame, p, 0.05);
  }
  ImGui::TreePop();
}

}  // namespace backlit::viewer
