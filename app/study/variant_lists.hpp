// The variants of an operation that a study compares, by backend.
#pragma once

#include <string>
#include <vector>

#include "study/candidates/other_candidates.hpp"
#include "study/candidates/picture_candidates.hpp"

namespace backlit {

/// All variants that a backend names; on gl also numbers of views in a pass and kinds of accumulation for both places
/// of the transform. Includes combinations that exclude each other; these are reported.
std::vector<CtOptions> interpolating_backprojections(Backend&);
/// Variants that take the nearest pixel. Their error is larger, so they are compared only with each other.
std::vector<CtOptions> nearest_backprojections(Backend&);
/// The best known variants of each architecture, unpacked and packed.
std::vector<CtOptions> chosen_backprojections(Backend&);
/// Early fragment kill on gl, and the same without; empty on other backends.
std::vector<CtOptions> killing_backprojections(Backend&);
std::vector<CtOptions> projections(Backend&);
/// Includes backends without footprints, which report that.
std::vector<CtOptions> footprints(Backend&);
std::vector<LineBenchOptions> lines(const Backend&);
std::vector<Method> iterations(const Backend&, const std::string& method, std::int64_t subsets);
/// Includes one picture for backends that do not draw, which report that.
std::vector<RenderVariant> render_variants(const Backend&);
std::vector<D2vrVariant> d2vr_variants(const Backend&);

}  // namespace backlit
