// The models that projectors compute on any device, by the field's names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace backlit {

/// A model of voxels and rays: one of the models below, or one that a program added. A Model is small and compared by
/// identity.
class Model {
 public:
  struct Facts {
    const char* name;      ///< the name that users write
    const char* title;     ///< a few words for help and tables
    const char* paper;     ///< authors and year
    const char* old_name;  ///< an alias that users may still write; may be null
  };

  static const Model voxel_driven, joseph, siddon, raycast, blob, distance_driven, branchless_dd;
  /// Models that need more than a grid and a scan: lines of a list, the attenuation, a volume of their own.
  static const Model lines_of_response, emission, sart_in_place;

  /// Adds a model of a program's own. `facts` must live as long as the program, with a name that is not taken.
  static Model add(const Facts& facts);
  /// All models, in the order in which programs list them.
  static const std::vector<Model>& all();

  const Facts& facts() const { return *facts_; }
  friend bool operator==(Model a, Model b) { return a.facts_ == b.facts_; }
  friend bool operator<(Model a, Model b) { return std::string_view(a.facts_->name) < b.facts_->name; }

 private:
  constexpr explicit Model(const Facts* facts) : facts_(facts) {}

  const Facts* facts_;
};

inline const char* name(Model model) { return model.facts().name; }
/// Finds a model by its name or its old name. Throws InputError listing the names.
Model model_from(const std::string& name);

}  // namespace backlit
