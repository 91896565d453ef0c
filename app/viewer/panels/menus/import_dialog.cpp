#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include <backlit/core/error.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "views/panes/pane.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr std::int64_t most_pixels = 512;

bool whole(const char* name, const char* help, std::int64_t& value, std::int64_t least) {
  row(name, help);
  const std::string id = std::string("##") + name;
  const bool changed = ImGui::InputScalar(id.c_str(), ImGuiDataType_S64, &value);
  name_item(std::string("import ") + name);
  value = std::max(value, least);
  return changed;
}

/// `zero`: shown for 0.
bool length(const char* name, const char* help, double& value, const char* zero = "0 mm") {
  row(name, help);
  const bool changed = ImGui::InputDouble((std::string("##") + name).c_str(), &value, 0, 0,
                                          value == 0 ? zero : "%.6g mm", ImGuiInputTextFlags_AutoSelectAll);
  name_item(std::string("import ") + name);
  return changed;
}

void angle(const char* name, const char* help, double& value) {
  row(name, help);
  ImGui::InputDouble((std::string("##") + name).c_str(), &value, 0, 0, "%.6g°");
  name_item(std::string("import ") + name);
}

/// A pattern of files beside the images.
void files(const char* name, const char* help, std::string& value, const std::filesystem::path& folder) {
  row(name, help);
  std::string shown = value.empty() ? "" : std::filesystem::path(value).lexically_proximate(folder).string();
  if (ImGui::InputText((std::string("##") + name).c_str(), &shown))
    value = shown.empty() ? "" : (folder / shown).string();
  name_item(std::string("import ") + name);
}

/// One of two, as a list.
void choice(const char* name, const char* help, bool& first, const char* yes, const char* no) {
  row(name, help);
  if (ImGui::BeginCombo((std::string("##") + name).c_str(), first ? yes : no)) {
    for (const bool one : {true, false}) {
      if (ImGui::Selectable(one ? yes : no, one == first)) first = one;
      name_item(one ? yes : no);
    }
    ImGui::EndCombo();
  }
  name_item(std::string("import ") + name);
}

}  // namespace

void ImportDialog::ask(const std::string& file) {
  shown_ = fresh_ = changed_ = true;
  problem_.clear();
  slice_ = -1;  // the middle one
  tiff_ = is_tiff(file);
  scanned_ = false;
  whole_stack_ = true;
  scan_ = ScanImport{};
  raw_ = RawImport{};
  raw_.file = file;
  try {
    if (!tiff_) raw_ = guess_raw(file);
    stack_ = tiff_ ? stack_of(file) : "";
    if (tiff_) open_images();
    scanned_ = tiff_ && slices_ > 1 && !scan_.flats.empty();
    pixel_ = spacing_ = 0;
  } catch (const Error& error) {
    shown_ = fresh_ = false;
    throw;
  }
}

/// Opening looks at every file: it is not done for every picture of the window.
void ImportDialog::open_images() {
  const std::string& spec = whole_stack_ ? stack_ : raw_.file;
  images_ = open_stack(spec);
  slices_ = images_->info().images;
  if (scan_.images.empty()) scan_ = guess_scan(spec);
  scan_.images = spec;
  scanned_ = scanned_ && slices_ > 1;
}

void ImportDialog::draw_raw(Frame&) {
  changed_ |= whole("columns", "Values along x, which lie side by side in the file", raw_.size[0], 1);
  changed_ |= whole("rows", "Values along y", raw_.size[1], 1);
  changed_ |= whole("slices", "Values along z", raw_.size[2], 1);
  row("type", "u: whole numbers from 0, i: whole numbers of both signs, f: floating point; with their bits");
  if (ImGui::BeginCombo("##type", raw_.type.c_str())) {
    for (const std::string& type : raw_types()) {
      if (ImGui::Selectable(type.c_str(), type == raw_.type)) {
        raw_.type = type;
        changed_ = true;
      }
      name_item(type);
    }
    ImGui::EndCombo();
  }
  name_item("import type");
  row("big endian", "The high byte comes first: files of old workstations, and of ImageJ");
  changed_ |= ImGui::Checkbox("##endian", &raw_.big_endian);
  name_item("import big endian");
  changed_ |= whole("header", "Bytes in front of the values", raw_.header, 0);
  length("spacing x", "Size of a voxel along x", raw_.spacing.x);
  length("spacing y", "Size of a voxel along y", raw_.spacing.y);
  length("spacing z", "From one slice to the next", raw_.spacing.z);
  slices_ = raw_.size[2];
  const std::int64_t left = bytes_left(raw_);
  if (left < 0)
    warning(fmt::format("The file is {} bytes too short for this.", grouped(-left)));
  else
    quiet_text(left == 0 ? "The file has exactly this size."
                         : fmt::format("The file has {} bytes more than this.", grouped(left)));
}

void ImportDialog::draw_tiff() {
  if (stack_ != raw_.file) {
    row("all images", "Every image whose name differs in the number alone is a slice");
    if (ImGui::Checkbox("##stack", &whole_stack_)) {
      open_images();
      changed_ = true;
    }
    name_item("import all images");
  }
  const std::string& spec = whole_stack_ ? stack_ : raw_.file;
  const StackInfo& info = images_->info();
  fact("images", fmt::format("{} of {} × {}, {}", slices_, info.columns, info.rows, info.type));
  fact("name", std::filesystem::path(spec).filename().string());
  if (slices_ > 1) {
    bool slices = !scanned_;
    choice("these are", "Slices make a volume; projections are reconstructed to one", slices, "slices",
           "projections of a scan");
    scanned_ = !slices;
  }
  scanned_ ? draw_scan() : draw_slices();
}

void ImportDialog::draw_slices() {
  length("pixel size", "Side of a pixel of these images; 0: unknown, lengths are in pixels", pixel_, "unknown");
  pixel_ = std::max(pixel_, 0.0);
  if (slices_ < 2) return;
  length("slice spacing",
         "From one image to the next, where it differs from the pixel size: in mm, or in pixels where their size is "
         "unknown. 0: as the pixel size",
         spacing_, "as the pixel size");
  spacing_ = std::max(spacing_, 0.0);
}

void ImportDialog::draw_scan() {
  const std::filesystem::path folder = std::filesystem::path(scan_.images).parent_path();
  length("detector pixel", "Side of a pixel of the detector", scan_.pixel_mm);
  length("source to axis", "From the X-ray source to the axis of rotation. 0, as the next: parallel beams",
         scan_.source_to_axis_mm, "parallel beams");
  length("source to detector", "From the X-ray source to the detector", scan_.source_to_detector_mm, "parallel beams");
  angle("arc",
        "What all views together turn through: the source moves counterclockwise seen from above. Below 0: clockwise. "
        "A table that turns the object clockwise moves the source counterclockwise",
        scan_.arc_deg);
  fact("from view to view", fmt::format("{:.6g}°", scan_.arc_deg / static_cast<double>(slices_)));
  choice("values", "Raw readings become line integrals by flats and darks", scan_.counts, "raw readings",
         "line integrals");
  if (scan_.counts) {
    files("flats", "Images of the open beam, as a pattern: flat_*.tif", scan_.flats, folder);
    files("darks", "Images with the beam off, as a pattern: dark_*.tif", scan_.darks, folder);
  }
  choice("first row", "Where the first row of an image lies. The wrong one makes a mirror image", scan_.first_row_top,
         "top", "bottom");
  choice("first column", "Where the first column of an image lies, seen from the source towards the detector",
         scan_.first_column_left, "left", "right");
}

void ImportDialog::draw_preview(Frame& frame, float side) {
  slice_ = slice_ < 0 ? slices_ / 2 : std::min(slice_, slices_ - 1);
  if (changed_) try {
      changed_ = false;
      problem_.clear();
      const Plane p = tiff_ ? stack_slice(*images_, slice_, most_pixels) : raw_slice(raw_, slice_, most_pixels);
      picture_.load(p);
      std::vector<float> finite = p.values;
      std::erase_if(finite, [](float v) { return !std::isfinite(v); });
      if (finite.empty()) throw InputError("this slice", "holds no numbers");
      Window window = percentile_window(finite, 0.5, 99.5);
      if (!(window.low < window.high)) window.high = window.low + 1;
      frame.painter.color(picture_.values, window, "gray", picture_.shown);
    } catch (const Error& error) {
      problem_ = error.what();
    }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({side, side});
  name_item("import preview");
  if (const gl::Texture& shown = picture_.shown; problem_.empty() && shown) {
    const auto width = static_cast<float>(shown.width()), height = static_cast<float>(shown.height());
    const float scale = side / std::max(width, height);
    draw_texture({{at.x, at.y}, {scale * width, scale * height}}, shown, true);
  }
  ImGui::SetNextItemWidth(side);
  const std::int64_t first = 0, last = std::max<std::int64_t>(0, slices_ - 1);
  if (ImGui::SliderScalar("##slice", ImGuiDataType_S64, &slice_, &first, &last,
                          tiff_ && scanned_ ? "view %lld" : "slice %lld"))
    changed_ = true;
  name_item("import slice");
}

void ImportDialog::finish(Frame& frame) {
  if (tiff_ && scanned_) {
    try {
      frame.act("open", {save_scan(scan_)});
    } catch (const Error& error) {  // what was typed stays
      problem_ = error.what();
      return;
    }
  } else if (tiff_) {
    frame.act("import", {whole_stack_ ? stack_ : raw_.file, fmt::format("{}", pixel_),
                         fmt::format("{}", slices_ > 1 ? spacing_ : 0)});
  } else {
    std::vector<std::string> words{raw_.file};
    for (const std::int64_t n : raw_.size) words.push_back(std::to_string(n));
    words.insert(words.end(), {raw_.type, raw_.big_endian ? "big" : "little", std::to_string(raw_.header)});
    for (int a = 0; a < 3; ++a) words.push_back(fmt::format("{}", raw_.spacing[a]));
    frame.act("import", words);
  }
  shown_ = false;
  ImGui::CloseCurrentPopup();
}

void ImportDialog::draw(Frame& frame) {
  if (!shown_) return;
  const char* const title = "Import###import";
  if (std::exchange(fresh_, false)) ImGui::OpenPopup(title);
  const ImGuiIO& io = ImGui::GetIO();
  const float em = ImGui::GetFontSize(), side = std::min(26 * em, 0.4f * io.DisplaySize.x);
  ImGui::SetNextWindowPos({0.5f * io.DisplaySize.x, 0.5f * io.DisplaySize.y}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({side + 24 * em, side + 10 * em}, ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(title, &shown_)) return;
  quiet_text(std::filesystem::path(raw_.file).filename().string());
  bool possible = true, said = false;
  ImGui::BeginChild("choices", {21 * em, side + 3 * em});
  try {
    tiff_ ? draw_tiff() : draw_raw(frame);
    said = !tiff_ && bytes_left(raw_) < 0;
    possible = !said;
    if (tiff_ && scanned_)
      if (const std::string text = missing(scan_); !text.empty()) {
        quiet_text(text);
        possible = false;
      }
  } catch (const Error& error) {
    problem_ = error.what();
    possible = false;
  }
  if (!problem_.empty() && !said) warning(problem_);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginGroup();
  draw_preview(frame, side);
  ImGui::EndGroup();
  ImGui::BeginDisabled(!possible);
  if (ImGui::Button("Import", {8 * em, 0})) finish(frame);
  name_item("Import");
  ImGui::EndDisabled();
  ImGui::SameLine();
  const bool left = ImGui::Button("Cancel", {8 * em, 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  name_item("Cancel import");
  if (left && shown_) {
    shown_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace backlit::viewer
