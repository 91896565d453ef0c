// Projectors announce themselves: one descriptor for each device that has one. What programs offer, explain and refuse
// follows from the list of descriptors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/projectors/linear_operator.hpp>
#include <backlit/projectors/lines_of_response/line_options.hpp>
#include <backlit/projectors/sart_in_place/view_sart.hpp>

namespace backlit {

class Backend;

/// A model on a device. The backend that the functions get is the device's own (Backend::innermost()).
struct ProjectorInfo {
  Model model = Model::voxel_driven;
  std::string device{};  ///< the backend's name: "cpu", "gl", "cuda"
  std::vector<Precision> precisions{Precision::exact, Precision::fast, Precision::half};
  std::vector<Packing> packings{Packing::automatic, Packing::none};
  bool fdk_weights = false;  ///< takes Weighting::fdk

  /// Makes the operator. Throws Unsupported, naming the reason, for grids, scans and options that it cannot serve.
  std::function<std::unique_ptr<LinearOperator>(Backend&, const VolumeGrid&, const Scan&, const CtOptions&)> make{};
  /// Device memory that the operator takes besides its arrays, at most, for `views` views a call. Left out: twice the
  /// volume and the views.
  std::function<std::int64_t(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views)>
      bytes{};

  // Of the models that take more than a grid and a scan, in place of `make`.
  std::function<std::unique_ptr<LinearOperator>(Backend&, const VolumeGrid&, const LineList&, const LineOptions&)>
      make_lines{};
  std::function<std::unique_ptr<LinearOperator>(Backend&, const VolumeGrid&, const Scan&,
                                                std::span<const float> attenuation, const EmissionOptions&)>
      make_emission{};
  std::function<std::unique_ptr<ViewSart>(Backend&, const VolumeGrid&, const Scan&, const std::string& variant)>
      make_in_place{};

  // For bench and study, which compare ways to compute the same thing.
  /// Whether options.variant may be `name`. Left out: the projector judges its variants itself.
  std::function<bool(const std::string& name)> knows{};
  std::function<std::vector<CtOptions>()> variants{};                 ///< one of each kind, for tables
  std::function<std::vector<EmissionOptions>()> emission_variants{};  ///< likewise of emission
  std::vector<std::string> in_place_variants{};                       ///< likewise of sart_in_place, best first
};

/// Adds a projector, or replaces the one of the same model and device. One with `knows` stands beside it instead, for
/// the variants that it knows alone. Call it before backends are made.
void register_projector(ProjectorInfo);
/// All of a device, in the order of registration.
std::vector<const ProjectorInfo*> projectors_on(const std::string& device);
/// The projector for a variant of a model on a device; null when there is none.
const ProjectorInfo* find_projector(const std::string& device, Model, const std::string& variant = {});

/// Names of the models that project or backproject scans on some device, as programs offer them.
std::vector<std::string> projector_names();

}  // namespace backlit
