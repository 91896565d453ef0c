#include <backlit/device/box.hpp>

#include <algorithm>

namespace backlit {

std::vector<Box> boxes_of(const ArrayShape& whole, const Size3& largest) {
  std::vector<Box> boxes;
  for (std::int64_t k = 0; k < whole.n2; k += largest[2])
    for (std::int64_t j = 0; j < whole.n1; j += largest[1])
      for (std::int64_t i = 0; i < whole.n0; i += largest[0])
        boxes.push_back({{i, j, k},
                         {std::min(largest[0], whole.n0 - i), std::min(largest[1], whole.n1 - j),
                          std::min(largest[2], whole.n2 - k)}});
  return boxes;
}

}  // namespace backlit
