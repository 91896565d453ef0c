// How the views of a scan are shared out to ordered subsets.
#pragma once

#include <vector>

#include <backlit/projectors/linear_operator.hpp>
#include <backlit/recon/method_options.hpp>

namespace backlit {

/// The order in which `count` subsets are taken. bit_reversed keeps neighbours in time far apart in angle (Herman and
/// Meyer, IEEE Trans. Med. Imaging 12 (1993) 600, for powers of two); golden goes on by the golden section of all
/// subsets, to the nearest that is left (Köhler, IEEE Nucl. Sci. Symp. Conf. Rec. (2004) 3961); sequential is 0, 1,
/// 2, ...
std::vector<std::int64_t> subset_order(SubsetOrder, std::int64_t count);

/// Subset s of n holds views s, s + n, ..., here cut into pieces of at most `piece` views.
std::vector<Subset> subset_pieces(std::int64_t views, std::int64_t subsets, std::int64_t s, std::int64_t piece);

}  // namespace backlit
