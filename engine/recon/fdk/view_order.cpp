#include "recon/fdk/view_order.hpp"

#include <algorithm>

#include <backlit/data/selected_views.hpp>
#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/projectors/projector.hpp>
#include "preprocess/filter/widening.hpp"
#include "recon/method_bytes.hpp"

namespace backlit {

std::shared_ptr<ProjectionSource> in_packing_order(Backend& backend, std::shared_ptr<ProjectionSource> source,
                                                   const VolumeGrid& grid, const CtOptions& ct,
                                                   const FilterOptions& filter) {
  const Capabilities can = backend.capabilities();
  const ProjectorInfo* projector = find_projector(backend.name(), ct.model);
  const bool may_pack = ct.model == Model::voxel_driven && ct.precision != Precision::exact &&
                        (ct.packing == Packing::automatic || ct.packing == Packing::orbit) && projector &&
                        std::ranges::find(projector->packings, Packing::orbit) != projector->packings.end();
  if (!may_pack || can.memory_bytes == 0) return source;
  const QuarterTurns turns = find_quarter_turns(source->scan(), grid);
  if (!turns.refusal.empty()) return source;
  const Scan filtered = Widening(source->scan(), filter).wide;
  VolumeGrid slice = grid;
  slice.size[2] = 1;
  if (2 * working_bytes(backend, slice, filtered, ct, filtered.view_count()) <= can.memory_bytes) return source;
  return std::make_shared<SelectedViews>(std::move(source), turns.order());
}

}  // namespace backlit
