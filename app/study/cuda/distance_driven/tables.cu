// Second summation of tables, across; and sums along in double.
#include "cuda/distance_driven/tables.cuh"
#include "study/cuda/distance_driven/areas.hpp"

namespace backlit::cuda {
namespace {

template <class Sum, class T>
__global__ void __launch_bounds__(side* scan_warps) scan_again(SumsAlong along, const Sum* sums, T* areas) {
  const std::int64_t image = blockIdx.y;
  const int end = along.edges - 1;
  const Sum* of_image = sums + image * along.image;
  __shared__ Sum whole[side];  // sums of the lines of a tile
  const double level = along.levels ? 1.0 / end : 0.0;
  sum_lines(
      {along.edges + 1, along.count, along.between}, of_image, areas + image * (along.edges + 1) * (along.count + 2),
      [&](int i) { whole[i % side] = of_image[i * along.between + end]; },
      [&](int edge, int i, double v) {
        return edge > end ? v * level : v - edge * level * static_cast<double>(whole[i % side]);
      },
      [](int edge) { return edge; });
}

}  // namespace

template <class Sum, class T>
void sum_areas(Stream& stream, const SumsAlong& along, const Sum* sums, T* areas) {
  stream.launch("sum areas", dim3(blocks(along.edges + 1, side), static_cast<unsigned>(along.images)), block, 0,
                scan_again<Sum, T>, along, sums, areas);
}

template void sum_slices(Stream&, const DistanceDrivenPlan&, const float*, float, double*);
template void sum_rows(Stream&, const DistanceDrivenPlan&, const SeenView*, int, const float*, float, double*);
template void turn_columns(Stream&, const DistanceDrivenPlan&, const double*, float*, bool);
template void sum_areas(Stream&, const SumsAlong&, const float*, float*);
template void sum_areas(Stream&, const SumsAlong&, const double*, TwoFloats*);

}  // namespace backlit::cuda
