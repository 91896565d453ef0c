// The corrections that the device makes, each defined in the file of its name in the host's code.
#pragma once

#include "cuda/corrections/views.hpp"

namespace backlit::cuda {

using Done = std::optional<std::string>;

Done fit_flats(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done interpolate_defects(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done replace_zingers(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done level_air(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done remove_dead_stripes(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done remove_large_stripes(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done remove_stripes(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done retrieve_phase(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done remove_scatter(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done correct_water(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done apply_polynomial(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);

// Those that look at the volume, which CorrectionInput's tools make on the device of the views.
Done fit_scatter(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done flatten(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);
Done reduce_metal(CudaViews&, const CorrectionOptions&, const CorrectionInput&, const Watch&);

}  // namespace backlit::cuda
