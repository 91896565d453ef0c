// FDK's weights and ramp filter on the host, for any list of views.
#pragma once

#include <memory>
#include <span>

#include <backlit/core/index_range.hpp>
#include <backlit/geometry/view.hpp>
#include <backlit/preprocess/filter_options.hpp>

namespace backlit {

/// Weights of a scan that depend on its list of views. See docs/methods/fdk.md for the formula.
struct FdkWeights {
  std::vector<double> gap;              ///< per view, radians: dBeta, the sum of half the gaps to both neighbours
  std::vector<std::vector<float>> ray;  ///< per view and column: redundancy m(u), 1/2 each in a full scan; one entry
                                        ///< shared by all views when they are equal
  std::string scheme;  ///< "filtered already", "full", "short (Parker-like)", "offset detector", "parallel", ...
};

/// Throws InputError, naming the view and an alternative, when FDK does not fit the trajectory, unless options.force is
/// set. FDK does not fit when the source leaves its plane by more than 1 % of R, or when rows are tilted or rays raised
/// by more than 10 degrees.
FdkWeights fdk_weights(const Scan&, const FilterOptions&);

/// A plan that weights and filters views in place, so that backprojection with (R/depth)^2 gives absolute values.
/// Kernels and FFTs are made once. Threads run over views and rows. A view's result does not depend on the other views
/// of a call, bit for bit.
///
/// With the filter "hilbert" views hold differences, p(c + 1/2) - p(c - 1/2), as phase-contrast gratings measure them
/// (Faris and Byer, Appl. Opt. 27 (1988) 5202; Pfeiffer et al., Phys. Rev. Lett. 98 (2007) 108105), and the Hilbert
/// filter takes the ramp's place. Parallel beams on flat detectors; others throw InputError.
///
/// With the window "none" views count as filtered and weighted already. They are only multiplied by (D/R)^2, D = depth
/// of the world's origin. Then backprojection adds value / w^2 with w = depth / D, which is 1 at the origin. This is
/// RabbitCT's sum (Rohkohl et al., Med. Phys. 36 (2009) 3940), whose matrices have w = 1 there. No trajectory is
/// refused.
class FdkFilter {
 public:
  FdkFilter(const Scan&, const FilterOptions&);
  /// For views that come as these rows alone, of which the first has an even number: they come out the same bit for bit
  /// as among all rows.
  FdkFilter(const Scan&, const FilterOptions&, const IndexRange& rows);
  ~FdkFilter();
  /// Filters views [first, first + n), rows x columns each; overwrites `views`. n follows from the size of `views`.
  void run(std::int64_t first, std::span<float> views) const;
  const FdkWeights& weights() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace backlit
