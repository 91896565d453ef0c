// Rows of images, and slices of volumes, between the cards of ranks.
#pragma once

#include "cuda/device/launch.hpp"
#include "device/row_link.hpp"

namespace backlit::cuda {

/// All ranks call it, each with a card; `own_cards`: no two of them share one. The stream must outlive the link. Null
/// where there is no way from card to card, or BACKLIT_LINK (nccl, shared or host) excludes it.
std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks>, bool own_cards, Stream&);

/// Rows of images as one rank has them; `data` null: those of the images themselves.
struct RankRows {
  IndexRange rows;
  const float* data;
};

/// images = the sum of all parts, in their order, in rows of which there is more than one. `parts` lies on the device.
void add_rows(Stream&, float* images, std::int64_t columns, std::int64_t rows, std::int64_t views,
              const RankRows* parts, int count);

}  // namespace backlit::cuda
