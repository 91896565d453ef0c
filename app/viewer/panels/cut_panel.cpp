#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"
#include "panels/widgets.hpp"

namespace backlit::viewer {
namespace {

void crop_box(Frame& frame) {
  DisplayState& d = frame.next.display;
  row("crop", "Show a box of the volume alone");
  const bool switched = ImGui::Checkbox("##crop", &d.crop);
  name_item("crop");
  ImGui::SameLine();
  const std::string& tool = frame.next.layout.tool;
  if (toggle_button("Drag the box", tool == "box",
                    "Drag the dots on its faces in the 3-D view, or its sides in a slice; Escape ends it", {-1, 0}))
    frame.act("clip box");
  if (switched) {
    if (d.crop) start_crop(d, frame.grid());
    frame.edited("crop");
  }
  if (!d.crop) return;
  const VolumeGrid grid = frame.grid();
  const char* names[] = {"x", "y", "z"};
  const std::string number = fmt::format("%.{}f", Frame::place_digits(grid) - 1),
                    with_unit = number + " " + frame.length_unit();
  for (int a = 0; a < 3; ++a) {
    row(names[a],
        "Where the box begins and ends along this axis. Drag (with Shift ten times faster), or Ctrl + click to type a "
        "value.");
    float range[] = {static_cast<float>(d.crop_low[a]), static_cast<float>(d.crop_high[a])};
    const auto low = static_cast<float>(grid.lower()[a]), high = static_cast<float>(grid.upper()[a]);
    const bool changed =
        ImGui::DragFloatRange2(fmt::format("##crop{}", a).c_str(), &range[0], &range[1], (high - low) / 400, low, high,
                               number.c_str(), with_unit.c_str(), ImGuiSliderFlags_AlwaysClamp);
    name_item(std::string("crop ") + names[a]);
    if (!changed) continue;
    d.crop_low[a] = range[0];
    d.crop_high[a] = range[1];
    frame.edited("crop");
  }
}

/// The box as the region of the next reconstruction.
void reconstruct_box(Frame& frame) {
  const DisplayState& d = frame.next.display;
  if (!d.crop || !frame.status.source || !frame.status.source->can_run()) return;
  const VolumeGrid grid = frame.grid();
  const Vec3 voxels = glm::max(glm::round((d.crop_high - d.crop_low) / grid.spacing), Vec3(1));
  const bool pressed = ImGui::Button("Reconstruct this box", {-1, 0});
  name_item("Reconstruct this box");
  VolumeGrid box = grid;
  for (int a = 0; a < 3; ++a) box.size[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(voxels[a]);
  tooltip(fmt::format("{}, voxels of {:.4g} {}; smaller voxels: Region and voxels", size_in_words(box), grid.spacing.x,
                      frame.length_unit()));
  if (!pressed) return;
  GridState& g = frame.next.grid;
  g.center += 0.5 * (d.crop_low + d.crop_high) - grid.center;
  g.size = box.size;
  g.voxel = grid.spacing.x;
  frame.next.display.crop = false;
  frame.edited("region");
}

void clip_planes(Frame& frame) {
  auto& clips = frame.next.clips;
  std::size_t gone = clips.size();
  const VolumeGrid grid = frame.grid();
  const double voxel = std::max(1e-9, std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}));
  const std::string format = fmt::format("%.{}f {}", Frame::place_digits(grid) - 1, frame.length_unit());
  for (std::size_t i = 0; i < clips.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    row(fmt::format("plane {}", i + 1), "The volume ends here; drag to move it along its normal");
    const double before = glm::dot(clips[i].point, clips[i].normal);
    double position = before;
    ImGui::SetNextItemWidth(-2.2f * ImGui::GetFontSize());
    const bool moved = ImGui::DragScalar("##at", ImGuiDataType_Double, &position, static_cast<float>(0.25 * voxel),
                                         nullptr, nullptr, format.c_str());
    name_item(fmt::format("plane {}", i + 1));
    if (moved) {
      clips[i].point += (position - before) * clips[i].normal;
      frame.edited("clip");
    }
    ImGui::SameLine();
    if (ImGui::Button("×")) gone = i;
    tooltip("Remove this plane");
    ImGui::PopID();
  }
  if (gone < clips.size()) {
    clips.erase(clips.begin() + static_cast<std::ptrdiff_t>(gone));
    frame.edited("clip");
  }
  if (clips.size() >= VolumeRenderOptions::max_clips) return;
  const char* names[] = {"clip x", "clip y", "clip z"};
  for (int a = 0; a < 3; ++a) {
    if (a > 0) ImGui::SameLine();
    if (ImGui::Button(names[a],
                      {(ImGui::GetWindowContentRegionMax().x - 4 * ImGui::GetStyle().ItemSpacing.x) / 3, 0})) {
      RenderPlane plane{frame.next.crosshair, Vec3(0)};
      plane.normal[a] = 1;
      clips.push_back(plane);
      frame.edited("clip");
    }
    name_item(names[a]);
    tooltip("Cut the volume at the crosshair, across this axis");
  }
}

}  // namespace

void cut_panel(Frame& frame) {
  if (!section("Cuts", true)) return;
  Parameters list;
  for (StateSection& s : describe(frame.next))
    if (s.name == "oblique") list = std::move(s.parameters);
  edit_row(frame, of(list, "shown"), 1, "oblique slice");
  if (frame.next.oblique.shown) {
    edit_row(frame, of(list, "from_views"), 1, "from projections");
    if (ImGui::Button("To the crosshair")) {
      frame.next.oblique.center = frame.next.crosshair;
      frame.edited("oblique slice");
    }
    name_item("To the crosshair");
  }
  for (StateSection& s : describe(frame.next))
    if (s.name == "layout") list = std::move(s.parameters);
  const VolumeGrid grid = frame.grid();
  edit_row(frame, of(list, "slab"), 0.25 * std::max(1e-9, std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z})),
           nullptr, {"one voxel", 0});
  if (frame.next.layout.slab > 0) edit_row(frame, of(list, "slab_mode"));
  edit_row(frame, of(list, "linked_zoom"));
  edit_row(frame, of(list, "pixel_grid"));
  edit_row(frame, of(list, "play"));
  edit_row(frame, of(list, "play_speed"), 0.1);
  for (StateSection& s : describe(frame.next))
    if (s.name == "display") edit_row(frame, of(s.parameters, "smooth"));
  crop_box(frame);
  reconstruct_box(frame);
  clip_planes(frame);
}

}  // namespace backlit::viewer
