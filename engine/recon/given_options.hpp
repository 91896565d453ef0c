// Options that somebody named one by one and that would do nothing.
#pragma once

#include <span>
#include <string>

#include <backlit/recon/reconstruction.hpp>

namespace backlit {

/// Throws InputError when one of `names`, options by their parameters' names, is ignored with these options whatever
/// its value: a number of iterations by a method that has none, a cut-off by one that filters nothing. check() looks at
/// values alone, since programs hold a whole set of options and hand it to any method.
void check_given(const ReconOptions&, std::span<const std::string> names);

/// Whether surrogates minimise penalised least squares, subset by subset; with one subset conjugate gradients do.
inline bool takes_surrogates(const ReconOptions& o) { return o.method == "pwls" && o.subsets > 1; }

/// Whether iterations start from a filtered backprojection of their views.
inline bool starts_filtered(const ReconOptions& o) { return o.initial == "fdk" || o.initial == "hfdk"; }

}  // namespace backlit
