// The variants of an operation that a study compares, by backend.
#pragma once

#include <string>
#include <vector>

#include "study/candidates/other_candidates.hpp"
#include "study/candidates/picture_candidates.hpp"

namespace backlit {

/// Everything that a backend names, on gl also views a pass and the kinds of accumulation for both places of the
/// transform. Combinations that exclude each other are in the list too, and the report says so.
std::vector<CtOptions> interpolating_backprojections(Backend&);
/// Those that take the nearest pixel: no match for the others' error, so they are compared with each other only.
std::vector<CtOptions> nearest_backprojections(Backend&);
/// The best known of each architecture, unpacked and packed.
std::vector<CtOptions> chosen_backprojections(Backend&);
/// Early fragment kill on gl, and the same without; nothing elsewhere.
std::vector<CtOptions> killing_backprojections(Backend&);
std::vector<CtOptions> projections(Backend&);
/// Backends that have no footprints are asked too, and say so.
std::vector<CtOptions> footprints(Backend&);
std::vector<LineBenchOptions> lines(const Backend&);
std::vector<Method> iterations(const Backend&, const std::string& method, std::int64_t subsets);
/// Backends that do not draw are asked for one picture, and say so.
std::vector<RenderVariant> render_variants(const Backend&);
std::vector<D2vrVariant> d2vr_variants(const Backend&);

}  // namespace backlit
