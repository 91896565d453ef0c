// Drawing and texts of measurements.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>

#include "model/state.hpp"

namespace backlit::viewer {

/// The kind that a tool makes; empty for the crosshair.
std::optional<Measurement::Kind> measurement_kind(const std::string& tool);
/// "12.3 mm", "45.0°".
std::string short_result(const Measurement&, const std::string& unit);
/// Draws lines, handles and text; `screen` maps mm to px. With missing points, draws the existing ones.
void draw_measurement(const Measurement&, const std::function<ImVec2(const Vec3&)>& screen, const std::string& text,
                      float unit);

}  // namespace backlit::viewer
