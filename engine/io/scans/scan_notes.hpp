// Notes to the user that several formats of scans share.
#pragma once

namespace backlit {

/// For counts without flats (see correct_counts()).
constexpr const char* no_flats =
    "there are no flats: the brightest one per cent of each view stands in for the open beam";

}  // namespace backlit
