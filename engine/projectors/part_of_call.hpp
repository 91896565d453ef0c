// For operators whose way depends on how many views a call takes, as hardware's weights then do.
#pragma once

#include <cstdint>

namespace backlit {

/// Whoever hands a call to such an operator in parts tells it how many views there are, so that all go one way.
class PartOfCall {
 public:
  virtual ~PartOfCall() = default;
  /// Views of the calls that those to come are parts of; 0: each is a whole one.
  virtual void part_of_call(std::int64_t views) = 0;
};

}  // namespace backlit
