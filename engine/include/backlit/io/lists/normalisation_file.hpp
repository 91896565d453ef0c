// CASToR's normalisation files: all pairs of crystals that count, with their factors. Sensitivities are computed from
// them.
#pragma once

#include <filesystem>
#include <memory>

#include <backlit/data/list_mode.hpp>

namespace backlit {

/// A .cdh of data mode `normalization` and its .cdf. "Events" are pairs, with norm and acf where the file has them;
/// pairs with a factor 0 do not count and are left out. Crystals are those of `scanner`. Throws InputError.
std::unique_ptr<ListModeSource> load_normalisation(const std::filesystem::path& cdh, const Scanner&);

}  // namespace backlit
