#include "core/progress.hpp"

#include "core/error.hpp"

namespace backlit {

void CancelToken::check() const {
  if (requested()) throw Cancelled();
}

}  // namespace backlit
