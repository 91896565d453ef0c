#include "cuda/distance_driven/tables.cuh"

namespace backlit::cuda {

template void sum_slices(Stream&, const DistanceDrivenPlan&, const float*, float, float*);
template void sum_rows(Stream&, const DistanceDrivenPlan&, const SeenView*, int, const float*, float, float*);
template void turn_columns(Stream&, const DistanceDrivenPlan&, const float*, float*, bool);

}  // namespace backlit::cuda
