// Rows of images between the cards of ranks, by NCCL.
#pragma once

#include "cuda/device/launch.hpp"
#include "device/row_link.hpp"

namespace backlit::cuda {

/// Where NCCL is found and BACKLIT_NCCL is not 0.
bool links_rows();

/// All ranks call it, each with a card of its own. The stream must outlive the link.
std::unique_ptr<RowLink> link_rows(std::shared_ptr<Ranks>, Stream&);

/// Rows of images as one rank has them; `data` null: those of the images themselves.
struct RankRows {
  IndexRange rows;
  const float* data;
};

/// images = the sum of all parts, in their order, in rows of which there is more than one. `parts` lies on the device.
void add_rows(Stream&, float* images, std::int64_t columns, std::int64_t rows, std::int64_t views,
              const RankRows* parts, int count);

}  // namespace backlit::cuda
