// Reading some rows of images alone.
#pragma once

#include <backlit/core/index_range.hpp>

namespace backlit {

/// Implemented by sources of projections and readers of stacks that read less where not all rows are wanted.
class ReadsRows {
 public:
  virtual ~ReadsRows() = default;
  /// From now on other rows of an image than these need not be read; what is given for them has no meaning.
  virtual void look_at_rows(const IndexRange&) = 0;
};

/// Of a ProjectionSource or a StackReader; those that cannot read whole images as before.
template <class Source>
void look_at_rows(Source& source, const IndexRange& rows) {
  if (auto* const reads = dynamic_cast<ReadsRows*>(&source)) reads->look_at_rows(rows);
}

}  // namespace backlit
