#include "model/preferences.hpp"

#include <backlit/core/atomic_file.hpp>
#include <backlit/core/error.hpp>
#include "model/state_file.hpp"

namespace backlit::viewer {
namespace {

/// All but the layouts.
Parameters describe(Preferences& p) {
  return {{"theme", &p.theme, ""},
          {"map", &p.map, ""},
          {"font_scale", &p.font_scale, ""},
          {"water", &p.water, ""},
          {"air", &p.air, ""},
          {"show_panels", &p.show_panels, ""},
          {"left_width", &p.left_width, ""},
          {"right_width", &p.right_width, ""},
          {"folder", &p.folder, ""}};
}

}  // namespace

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
  Preferences p;
  read_parameters(table, describe(p), {"named_layout"});
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

void save_preferences(Preferences p, const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  std::string text = "# Preferences of backlit-view.\n" + toml_lines(describe(p));
  for (const NamedLayout& l : p.layouts) text += layout_toml(l);
  write_text(file, text);
}

}  // namespace backlit::viewer
