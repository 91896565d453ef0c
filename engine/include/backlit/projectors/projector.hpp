// Projectors announce themselves: one descriptor a device. Programs take choices, help and refusals from the list of
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

/// A model on a device. The backend that the functions get is the device's own (Backend::innermost()).
struct ProjectorInfo {
  Model model = Model::voxel_driven;
  std::string device{};  ///< the backend's name: "cpu", "gl", "cuda"
  std::vector<Precision> precisions{Precision::exact, Precision::fast, Precision::half};
  /// Of each precision above: relative L2 difference from the CPU's double precision, at most, of smooth bodies in both
  /// directions. Tests hold every projector to it.
  std::vector<double> errors{1e-5, 1e-3, 2e-3};
  std::vector<Packing> packings{Packing::automatic, Packing::none};
  bool fdk_weights = false;  ///< takes Weighting::fdk
  /// Its own choices by the names of describe(CtOptions&): "pipeline", "step". Of models with other options: "pipeline"
  /// where they take it.
  std::vector<std::string> options{};

  /// Throws Unsupported, naming the reason, for grids, scans and options that the projector cannot serve. Makes
  /// nothing. Left out: it serves all grids and scans. Called before `make`.
  std::function<void(Backend&, const VolumeGrid&, const Scan&, const CtOptions&)> require{};
  /// Makes the operator.
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
  std::function<std::unique_ptr<ViewSart>(Backend&, const VolumeGrid&, const Scan&, const ViewSartOptions&)>
      make_in_place{};

  // For bench and study, which compare variants of the same projector.
  bool studied = false;  ///< registered besides the projector that programs use, for its variants
  std::function<bool(const std::string& variant)> knows{};            ///< whether its options may name it; null: none
  std::function<std::vector<CtOptions>()> variants{};                 ///< one of each kind, for tables
  std::function<std::vector<EmissionOptions>()> emission_variants{};  ///< the same of emission
  std::vector<std::string> in_place_variants{};                       ///< the same of sart_in_place, best first

  bool takes(const std::string& option) const;  ///< whether `options` has it
};

/// Device memory of a plan whose projector declares none: two copies of the volume and of the views.
std::int64_t usual_plan_bytes(const VolumeGrid&, const Scan&, std::int64_t views);

/// Adds a projector, or replaces the one of the same model and device. A studied one is added besides. Call it before
/// backends are made.
void register_projector(ProjectorInfo);
/// All of a device, in the order of registration.
std::vector<const ProjectorInfo*> projectors_on(const std::string& device);
/// The projector that programs use, or the one that knows the variant; null if none does.
const ProjectorInfo* find_projector(const std::string& device, Model, const std::string& variant = {});

/// Where two operators of different models work as a pair: choices that only the other one's projector takes get their
/// defaults back. Choices that neither takes stay, so that make_ct() refuses them.
void share_choices(const Backend&, CtOptions& one, CtOptions& other);

/// Sets Parameter::needs for CtOptions of these models: what a choice needs to have an effect ("`model` raycast"),
/// where no projector of them takes them on any device (Parameter::needs).
void set_needs(Parameters&, const std::vector<Model>&);

/// Names of the models that project or backproject scans on some device, as programs offer them.
std::vector<std::string> projector_names();

}  // namespace backlit
