// The model's values at points, their units and their noise; the room for volumes.
#include <backlit/core/error.hpp>
#include "model/model.hpp"
#include "model/values/point_sampler.hpp"

namespace backlit::viewer {

std::vector<float> Model::values_at(std::span<const Vec3> points) {
  if (!sampler_) sampler_ = std::make_unique<PointSampler>();
  const bool inside = drawing_;
  const auto front = begin_frame();
  auto values = sampler_->values(front, points);
  if (!inside) end_frame();
  return values;
}

std::vector<float> Model::pinned_values_at(std::span<const Vec3> points) {
  if (!status_.pinned) return std::vector<float>(points.size(), NAN);
  if (!sampler_) sampler_ = std::make_unique<PointSampler>();
  const RigidMotion motion = motion_of(state().pinned, status_.pinned->grid);
  std::vector<Vec3> at;
  for (const Vec3& p : points) at.push_back(motion.undo(p));
  const bool inside = drawing_;
  begin_frame();
  auto values = sampler_->values(pinned_front_, at);
  if (!inside) end_frame();
  return values;
}

bool Model::knows_hu() const {
  if (!status_.source || status_.source->list || !status_.source->pixel_size_known) return false;
  if (!status_.histogram) return status_.source->has_views;
  // A volume that came as a file says nothing of its unit: values like those of a body are taken for 1/mm. In scans of
  // tiny things values are far beyond the scale of Hounsfield.
  const double body = status_.histogram->classes.body / state().display.water;
  return status_.source->has_views ? body < 100 : body > 0.2 && body < 5;
}

const char* Model::value_unit() const {
  const auto& source = status_.source;
  if (!source) return "";
  if (source->list) return source->list->absolute ? "kBq/ml" : "";
  if (source->has_views) return source->pixel_size_known ? "1/mm" : "1/px";
  return knows_hu() ? "1/mm" : "";
}

double Model::suv() const {
  if (!list_mode() || !status_.source->list->absolute) return NAN;
  const ListModeInfo& info = status_.source->list->info;
  const double weight_kg = state().pet.weight > 0 ? state().pet.weight : info.weight_kg;
  const double dose_bq = state().pet.dose > 0 ? 1e6 * state().pet.dose : info.dose_bq;
  if (weight_kg <= 0 || dose_bq <= 0) return NAN;
  constexpr double mm3_per_ml = 1000, g_per_kg = 1000;
  return mm3_per_ml * g_per_kg * weight_kg / dose_bq;  // a ml of tissue weighs a g
}

std::string Model::too_large(const GridState& grid) const {
  if (!hooks.room || !status_.source || !status_.source->can_run()) return "";
  const VolumeGrid &shown = status_.grid, &begun = status_.started.grid;
  const VolumeGrid& present = status_.running && begun.voxels() > shown.voxels() ? begun : shown;
  try {
    return viewer::too_large(next_grid(*status_.source, state().geometry, grid), present, hooks.room());
  } catch (const InputError&) {  // the run says what is wrong
    return "";
  }
}

void Model::run_if_it_fits() {
  if (too_large(state().grid).empty()) send_run();
}

bool Model::denoise_due() const {
  if (status_.generation <= generation_before_) return false;  // nothing of the open file is shown yet
  if (status_.running || run_wanted_ || status_.opening || status_.preview) return false;
  const double wanted = state().display.denoise;
  return wanted != status_.denoised && denoise_ordered_ != std::pair(status_.generation, wanted);
}

void Model::keep_denoised() {
  if (!denoise_due() || Clock::now() - denoise_changed_ < std::chrono::duration<double>(options_.debounce)) return;
  denoise_ordered_ = {status_.generation, state().display.denoise};
  worker_.give(order::Denoise{state().display.denoise});
}

}  // namespace backlit::viewer
