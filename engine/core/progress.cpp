#include <backlit/core/progress.hpp>

#include <backlit/core/error.hpp>

namespace backlit {

void CancelToken::check() const {
  if (requested()) throw Cancelled();
}

void Watch::begin(std::string_view stage, std::int64_t total, std::string_view unit) const {
  if (cancel_) cancel_->check();
  if (progress_) progress_->begin(stage, total, unit);
}

void Watch::advance(std::int64_t items) const {
  if (cancel_) cancel_->check();
  if (progress_) progress_->advance(items);
}

void Watch::end() const {
  if (progress_) progress_->end();
}

}  // namespace backlit
