// Descriptors of projectors, one for each model and device. Programs take choices, help and refusals from the list of
// descriptors.
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

/// A projector: a model on a device. The functions are called with the device's own backend (Backend::innermost()).
struct ProjectorInfo {
  Model model = Model::voxel_driven;
  std::string device{};  ///< the backend's name: "cpu", "gl", "cuda"
  std::vector<Precision> precisions{Precision::exact, Precision::fast, Precision::half};
  /// Largest relative L2 difference from the CPU's double precision, for each precision above. It holds for smooth
  /// bodies, in both directions; tests check it for every projector.
  std::vector<double> errors{1e-5, 1e-3, 2e-3};
  std::vector<Packing> packings{Packing::automatic, Packing::none};
  bool fdk_weights = false;  ///< supports Weighting::fdk
  /// The projector's own choices, by the names of describe(CtOptions&): "pipeline", "step". For models with other
  /// option structs only "pipeline" is possible.
  std::vector<std::string> options{};

  /// Throws Unsupported, naming the reason, for grids, scans and options that the projector cannot serve. Called before
  /// `make`; makes no operator. Empty: the projector serves all grids and scans.
  std::function<void(Backend&, const VolumeGrid&, const Scan&, const CtOptions&)> require{};
  /// Makes the operator.
  std::function<std::unique_ptr<LinearOperator>(Backend&, const VolumeGrid&, const Scan&, const CtOptions&)> make{};
  /// Upper bound of the device memory that the operator takes besides its arrays, for `views` views a call. Empty:
  /// twice the volume and the views.
  std::function<std::int64_t(const Backend&, const VolumeGrid&, const Scan&, const CtOptions&, std::int64_t views)>
      bytes{};

  // In place of `make`, for the models that need more than a grid and a scan.
  std::function<std::unique_ptr<LinearOperator>(Backend&, const VolumeGrid&, const LineList&, const LineOptions&)>
      make_lines{};
  std::function<std::unique_ptr<LinearOperator>(Backend&, const VolumeGrid&, const Scan&,
                                                std::span<const float> attenuation, const EmissionOptions&)>
      make_emission{};
  std::function<std::unique_ptr<ViewSart>(Backend&, const VolumeGrid&, const Scan&, const ViewSartOptions&)>
      make_in_place{};

  // For bench and study, which compare variants of the same projector.
  bool studied = false;  ///< registered for its variants, besides the projector that programs use
  std::function<bool(const std::string& variant)> knows{};            ///< whether options may name it; null: none
  std::function<std::vector<CtOptions>()> variants{};                 ///< one of each kind, for tables
  std::function<std::vector<EmissionOptions>()> emission_variants{};  ///< the same for emission
  std::vector<std::string> in_place_variants{};                       ///< the same for sart_in_place, best first

  bool takes(const std::string& option) const;  ///< whether `options` holds the name
};

/// Device memory of a plan whose projector declares none: two copies of the volume and of the views.
std::int64_t usual_plan_bytes(const VolumeGrid&, const Scan&, std::int64_t views);

/// Adds a projector, or replaces the one of the same model and device. A projector with `studied` never replaces
/// another. Call it before backends are made.
void register_projector(ProjectorInfo);
/// All projectors of a device, in the order of registration.
std::vector<const ProjectorInfo*> projectors_on(const std::string& device);
/// The projector that programs use, or, for a given variant, the one that knows it. Null if there is none.
const ProjectorInfo* find_projector(const std::string& device, Model, const std::string& variant = {});

/// For two operators of different models that work as a pair. In each, resets the choices that only the other one's
/// projector takes to their defaults. Choices that neither takes stay, so that make_ct() refuses them.
void share_choices(const Backend&, CtOptions& one, CtOptions& other);

/// Sets Parameter::needs of CtOptions for these models. A choice that none of their projectors takes on any device gets
/// the condition that it needs ("`model` raycast").
void set_needs(Parameters&, const std::vector<Model>&);

/// Names of the models that project or backproject scans on some device, in the order in which programs list them.
std::vector<std::string> projector_names();

}  // namespace backlit
