// The rows of a range array that a subset means.
#pragma once

#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Handles both kinds of range arrays: all rows of the operator, or exactly the rows of the subset.
class SubsetRows {
 public:
  /// Throws InputError when the subset leaves the operator's rows or the array is of neither kind.
  SubsetRows(const ArrayShape& range, const Subset& subset, const ArrayShape& array);

  std::int64_t count() const { return subset_.count; }
  /// The operator's row of the subset's i-th row.
  std::int64_t row(std::int64_t i) const { return subset_.first + i * subset_.stride; }
  /// The position of that row in the array.
  std::int64_t slot(std::int64_t i) const { return compact_ ? i : row(i); }

 private:
  Subset subset_;
  bool compact_;
};

}  // namespace backlit
