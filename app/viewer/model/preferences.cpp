#include "model/preferences.hpp"

#include <fmt/format.h>

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_geometry.hpp>
#include <backlit/io/toml_reader.hpp>
#include "model/state_file.hpp"

namespace backlit::viewer {

Preferences preferences_of(const ViewState& s, const std::string& folder) {
  return {s.layout.theme,       s.display.map,       s.layout.font_scale,  s.display.water, s.display.air,
          s.layout.show_panels, s.layout.left_width, s.layout.right_width, folder,          s.layouts};
}

void apply(const Preferences& p, ViewState& s) {
  s.layout.theme = p.theme;
  s.display.map = p.map;
  s.layout.font_scale = p.font_scale;
  s.display.water = p.water;
  s.display.air = p.air;
  s.layout.show_panels = p.show_panels;
  s.layout.left_width = p.left_width;
  s.layout.right_width = p.right_width;
  s.layouts = p.layouts;
}

Preferences load_preferences(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  const TomlTable table = TomlTable::parse_file(file);
  table.allow_only({"theme", "map", "font_scale", "water", "air", "show_panels", "left_width", "right_width", "folder",
                    "named_layout"});
  Preferences p;
  p.theme = table.text("theme").value_or(p.theme);
  p.map = table.text("map").value_or(p.map);
  p.font_scale = table.number("font_scale").value_or(p.font_scale);
  p.water = table.number("water").value_or(p.water);
  p.air = table.number("air").value_or(p.air);
  p.show_panels = table.boolean("show_panels").value_or(p.show_panels);
  p.left_width = table.number("left_width").value_or(p.left_width);
  p.right_width = table.number("right_width").value_or(p.right_width);
  p.folder = table.text("folder").value_or(p.folder);
  for (const TomlTable& t : table.tables("named_layout")) p.layouts.push_back(read_layout(t));
  ViewState state;
  apply(p, state);
  try {
    check(state);
  } catch (const InputError& problem) {
    throw InputError(file.string(), problem.what(), "mend it, or delete the file");
  }
  return p;
}

void save_preferences(const Preferences& p, const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  std::string layouts;
  for (const NamedLayout& l : p.layouts) layouts += layout_toml(l);
  write_text(file,
             fmt::format("# Preferences of backlit-view.\ntheme = {}\nmap = {}\nfont_scale = {}\nwater = {}\nair = {}\n"
                         "show_panels = {}\nleft_width = {}\nright_width = {}\nfolder = {}\n",
                         toml_text(p.theme), toml_text(p.map), toml_number(p.font_scale), toml_number(p.water),
                         toml_number(p.air), p.show_panels, toml_number(p.left_width), toml_number(p.right_width),
                         toml_text(p.folder)) +
                 layouts);
}

}  // namespace backlit::viewer
