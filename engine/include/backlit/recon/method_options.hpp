// Options that several methods share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <backlit/data/volume.hpp>
#include <backlit/preprocess/corrections.hpp>
#include <backlit/preprocess/filter_options.hpp>
#include <backlit/projectors/ct_options.hpp>
#include <backlit/projectors/emission/emission_options.hpp>
#include <backlit/recon/method.hpp>

namespace backlit {

/// Options of the operator.
struct OperatorOptions : MethodOptions {
  std::string model = "auto";  ///< voxel_driven for filtered backprojection, joseph for projections
  Precision precision = Precision::fast;
  Packing packing = Packing::automatic;
  CtOptions choices{};  ///< options of single projectors: `pipeline` to `stack`, `step`, and the variant of a study

  Parameters parameters() override;

 protected:
  /// The models that the method uses, with `auto` replaced by automatic_model().
  virtual std::vector<Model> models() const;
  virtual Model automatic_model() const { return Model::joseph; }
};

/// Options of methods that filter views and backproject them.
struct FilteredOptions : OperatorOptions {
  FilterOptions filter{};

  Parameters parameters() override;
  void check() const override;

 protected:
  Model automatic_model() const override { return Model::voxel_driven; }
};

/// Options of all methods that iterate on a projector.
struct IterationOptions : OperatorOptions {
  std::int64_t iterations = 20;
  std::string mask{};        ///< "cylinder", or a name for mask_volume
  std::string initial{};     ///< "fdk", "hfdk", or a name for initial_volume; empty: from 0
  FilterOptions filter{};    ///< filter of an initial fdk or hfdk
  double stop_residual = 0;  ///< iterations end when the relative residual is at most this; 0: no such rule
  double noise = 0;          ///< iterations end when the root mean square residual is at most this; 0: no such rule
  std::string checkpoint{};  ///< file for the state of every `checkpoint_every`-th iteration and of the last
  std::int64_t checkpoint_every = 10;
  std::string resume{};  ///< checkpoint from which to continue
  /// `resume` may come from another backend and may hold all iterations already. The last bits then differ from a run
  /// on one backend.
  bool resume_elsewhere = false;
  EmissionWords emission{};  ///< for the model "emission"

  // Values of the files named above, on the grid of the reconstruction; programs read and set them.
  std::shared_ptr<const Volume> mask_volume{};         ///< voxels that are not 0 are reconstructed
  std::shared_ptr<const Volume> initial_volume{};      ///< where iterations start
  std::shared_ptr<const Volume> attenuation_volume{};  ///< for emission; null: nothing attenuates

  Parameters parameters() override;
  void check() const override;
  /// Whether iterations start from a filtered backprojection of their views.
  bool starts_filtered() const { return initial == "fdk" || initial == "hfdk"; }
};

/// Options of methods that divide by the sums of their own operator. These methods also converge with another operator
/// in place of the transpose.
struct BackModelOptions : IterationOptions {
  std::string back_model = "matched";  ///< or a model whose back() replaces the transpose
  std::string back_variant{};          ///< variant of back_model; bench and study set it

  Parameters parameters() override;
  void check() const override;

 protected:
  std::vector<Model> models() const override;
};

enum class SubsetOrder { bit_reversed, golden, sequential };

/// Ordered subsets of the views.
struct SubsetOptions {
  std::int64_t subsets = 1;  ///< 0: chosen by the number of views
  SubsetOrder subset_order = SubsetOrder::bit_reversed;
};

/// Options of methods with additive updates.
struct RelaxationOptions {
  double relaxation = 1;     ///< share of each update that is applied
  bool nonnegative = false;  ///< negative values become 0 after each update
};

Parameter iterations_parameter(std::int64_t&);
Parameter subset_order_parameter(SubsetOrder&);
Parameters describe(SubsetOptions&);
Parameters describe(RelaxationOptions&);

/// Filters continue rows as the correction `truncation` says, unless the method's own `pad` does.
void continue_rows(Method&, const CorrectionOptions&);

/// Adds `more` to `list`.
void append(Parameters& list, Parameters more);

}  // namespace backlit
