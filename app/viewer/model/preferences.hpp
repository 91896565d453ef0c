// What a user likes, kept from one start of the window to the next: nothing that belongs to a scan.
#pragma once

#include <filesystem>

#include "model/state.hpp"

namespace backlit::viewer {

struct Preferences {
  std::string theme = LayoutState{}.theme, map = DisplayState{}.map;
  double font_scale = LayoutState{}.font_scale, water = DisplayState{}.water;
  bool show_panels = true;
  std::string folder{};  ///< that the file list showed last

  bool operator==(const Preferences&) const = default;
};

/// As the state has them; the folder stays.
Preferences preferences_of(const ViewState&, const std::string& folder);
void apply(const Preferences&, ViewState&);

/// Of a file that is not there, the usual ones. Throws InputError for one that cannot be used.
Preferences load_preferences(const std::filesystem::path&);
/// Throws Failure where the file cannot be written.
void save_preferences(const Preferences&, const std::filesystem::path&);

}  // namespace backlit::viewer
