// Materials of a volume: found by its values, those of a patient, and as a transfer function.
#pragma once

#include <span>
#include <vector>

#include <backlit/render/transfer_function.hpp>
#include "model/state.hpp"

namespace backlit::viewer {

/// The thresholds that part values into `classes` such that they differ as little as possible from the means of their
/// classes (Otsu, IEEE Trans. Syst. Man Cybern. 9 (1979) 62), rising; fewer where there are fewer values. `sorted`:
/// rising and finite. A few values far out are left aside.
std::vector<double> otsu_thresholds(std::span<const float> sorted, std::size_t classes);

/// Materials between these thresholds: the surroundings, which are clear, and others, of which the last is opaque.
std::vector<Material> found_materials(std::span<const float> sorted, std::size_t classes);
/// Air, fat, soft tissue and bone, by Hounsfield units.
std::vector<Material> tissue_materials(double water, double air);

/// A colour that none of these has.
std::string next_color(std::span<const Material>);
/// Moves an end of a material: 2 i is the lower one of material i, 2 i + 1 its upper one. A neighbour that it touches
/// goes with it; materials do not overlap and keep `least` of their range.
void move_material_end(std::vector<Material>&, std::size_t end, double value, double least);

/// Colours and opacities as steps.
TransferFunction material_function(std::span<const Material>);

/// The units of transfer functions, for a volume of `largest_side` mm.
ValueScale value_scale(const DisplayState&, double largest_side = 1);
/// The transfer function of boxes that is shown, in the volume's values; one without boxes where another is shown.
TransferFunction box_function(const DisplayState&);
/// Shows a function of boxes; without any left the automatic one.
void show_boxes(DisplayState&, const TransferFunction&);

}  // namespace backlit::viewer
