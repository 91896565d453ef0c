#include "cuda/distance_driven/backproject_columns.cuh"

namespace backlit::cuda {

template void find_columns<float>(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, int*);
template void backproject_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int, int, const int*,
                                  const float*, float*);

}  // namespace backlit::cuda
