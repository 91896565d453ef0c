#include "cuda/lines_of_response/project.hpp"

#include "cuda/lines_of_response/kernels.cuh"

namespace backlit::cuda {
namespace {

/// Starts the kernels that were fastest in measurements.
template <LineShape model>
void start_best(Stream& stream, const LinePlan& plan, const Arguments& p, Sums sums, bool forward) {
  if (sums == Sums::fixed)
    launch_kernel<LineKernel{model, Sums::fixed}>(stream, plan, p, forward);
  else
    launch_kernel<LineKernel{model, Sums::floating}>(stream, plan, p, forward);
}

void start(Stream& stream, const LinePlan& plan, const Arguments& p, const LineWork& work, bool forward) {
  if (plan.item_count() == 0) return;
  const LineShape model = work.thin ? LineShape::thin : p.tables.weights ? LineShape::table : LineShape::gauss;
  if (work.variant.start && work.variant.start(stream, plan, p, work.variant, forward)) return;
  if (model == LineShape::thin)
    start_best<LineShape::thin>(stream, plan, p, work.sums, forward);
  else if (model == LineShape::table)
    start_best<LineShape::table>(stream, plan, p, work.sums, forward);
  else
    start_best<LineShape::gauss>(stream, plan, p, work.sums, forward);
}

Arguments arguments(const LinePlan& plan, const LineTables& tables, LineScratch& scratch, const float* input,
                    float* output) {
  Arguments p{};
  for (int axis = 0; axis < 3; ++axis) p.tiling[axis] = plan.tiling(axis);
  p.records = plan.records();
  p.visit_lines = plan.visit_lines();
  p.visit_slices = plan.visit_slices();
  p.items = plan.items();
  p.tables = tables;
  p.input = input;
  p.floating = output;
  p.scale = scratch.scale.data();
  return p;
}

}  // namespace

std::size_t shared_bytes(const LinePlan& plan, const LineTables& tables, LineShape model) {
  return (static_cast<std::size_t>(plan.shared_floats()) +
          (tables.tof_table.entry_per_mm > 0 ? TofTable::entries + 4 : 0) +
          (model == LineShape::table ? 2 * tube_entries : 0)) *
         sizeof(float);
}

void forward_lines(Stream& stream, const LinePlan& plan, const LineTables& tables, LineScratch& scratch,
                   const LineWork& work, const float* image, std::int64_t voxels, float* y, bool accumulate) {
  Arguments p = arguments(plan, tables, scratch, image, y);
  p.fixed = scratch.lines.data();
  const auto lines = static_cast<std::size_t>(plan.lines());
  if (work.sums == Sums::fixed) {
    choose_scale(stream, scratch, image, voxels, false, tables.most_sum);
    BACKLIT_CUDA(cudaMemsetAsync(p.fixed, 0, lines * sizeof(long long), stream));
  } else if (!accumulate) {
    BACKLIT_CUDA(cudaMemsetAsync(y, 0, lines * sizeof(float), stream));
  }
  start(stream, plan, p, work, true);
  if (work.sums == Sums::fixed) finish_sums(stream, "line sums", p.fixed, p.scale, plan.lines(), y, accumulate);
}

void back_lines(Stream& stream, const LinePlan& plan, const LineTables& tables, LineScratch& scratch,
                const LineWork& work, const float* y, float* image, std::int64_t voxels, bool accumulate) {
  Arguments p = arguments(plan, tables, scratch, y, image);
  p.fixed = scratch.voxels.data();
  if (work.sums == Sums::fixed) {
    choose_scale(stream, scratch, y, plan.lines(), true, tables.most_weight);
    BACKLIT_CUDA(cudaMemsetAsync(p.fixed, 0, static_cast<std::size_t>(voxels) * sizeof(long long), stream));
  } else if (!accumulate) {
    BACKLIT_CUDA(cudaMemsetAsync(image, 0, static_cast<std::size_t>(voxels) * sizeof(float), stream));
  }
  start(stream, plan, p, work, false);
  if (work.sums == Sums::fixed) finish_sums(stream, "voxel sums", p.fixed, p.scale + 1, voxels, image, accumulate);
}

}  // namespace backlit::cuda
