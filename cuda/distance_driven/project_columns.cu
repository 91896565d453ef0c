#include "cuda/distance_driven/project_columns.cuh"

namespace backlit::cuda {

template void project_columns(Stream&, const DistanceDrivenPlan&, const SeenView*, int, const float*, float*, bool);

}  // namespace backlit::cuda
