// Which rows of a range array a subset means.
#pragma once

#include <backlit/projectors/linear_operator.hpp>

namespace backlit {

/// Resolves the two kinds of range arrays: all rows of the operator, or exactly those of the subset.
class SubsetRows {
 public:
  /// Throws InputError when the subset leaves the operator's rows or the array is of neither kind.
  SubsetRows(const ArrayShape& range, const Subset& subset, const ArrayShape& array);

  std::int64_t count() const { return subset_.count; }
  /// The operator's row that the subset's i-th is.
  std::int64_t row(std::int64_t i) const { return subset_.first + i * subset_.stride; }
  /// Where that row lies in the array.
  std::int64_t slot(std::int64_t i) const { return compact_ ? i : row(i); }

 private:
  Subset subset_;
  bool compact_;
};

}  // namespace backlit
