// The user's preferences, kept between runs of the program; nothing in them belongs to a scan.
#pragma once

#include <filesystem>

#include "model/state.hpp"

namespace backlit::viewer {

struct Preferences {
  std::string theme = LayoutState{}.theme, map = DisplayState{}.map;
  double font_scale = LayoutState{}.font_scale, water = DisplayState{}.water, air = DisplayState{}.air;
  bool show_panels = true;
  double left_width = 0, right_width = 0;
  std::string folder{};  ///< last folder in the file list
  std::vector<NamedLayout> layouts{};

  bool operator==(const Preferences&) const = default;
};

/// Preferences from the state, with `folder`.
Preferences preferences_of(const ViewState&, const std::string& folder);
void apply(const Preferences&, ViewState&);

/// Defaults if the file does not exist. Throws InputError for an invalid file.
Preferences load_preferences(const std::filesystem::path&);
/// Throws Failure when the file cannot be written.
void save_preferences(Preferences, const std::filesystem::path&);

}  // namespace backlit::viewer
