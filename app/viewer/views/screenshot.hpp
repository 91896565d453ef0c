// Pictures of the window as files.
#pragma once

#include <string>

#include "gl/handles.hpp"

namespace backlit::viewer {

/// Saves a frame, or the part of it that the item with `label` fills. Throws InputError where that is not visible.
void save_screenshot(const gl::Texture& frame, const std::string& path, const std::string& label);
/// backlit-001.png, or the first number that is free.
std::string free_screenshot_name();

}  // namespace backlit::viewer
