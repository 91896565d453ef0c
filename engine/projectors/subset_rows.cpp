#include <backlit/projectors/subset_rows.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

SubsetRows::SubsetRows(const ArrayShape& range, const Subset& s, const ArrayShape& array)
    : subset_(s), compact_(array.n2 != range.n2) {
  const bool inside =
      s.first >= 0 && s.count >= 0 && s.stride >= 1 && (s.count == 0 || s.first + (s.count - 1) * s.stride < range.n2);
  if (!inside)
    throw InputError(
        "subset", fmt::format("rows {}, {}, ... ({} of them) of {}", s.first, s.first + s.stride, s.count, range.n2));
  if (array.n0 != range.n0 || array.n1 != range.n1 || (array.n2 != range.n2 && array.n2 != s.count))
    throw InputError("subset",
                     fmt::format("an array of {} x {} x {} for {} of {} rows of {} x {}", array.n0, array.n1, array.n2,
                                 s.count, range.n2, range.n0, range.n1),
                     "make it with make_range()");
}

}  // namespace backlit
