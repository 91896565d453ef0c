// What is asked before a long run is thrown away.
#include <utility>

#include <backlit/core/error.hpp>
#include "model/model.hpp"

namespace backlit::viewer {

bool Model::precious() const { return status_.running && ask_after_ > 0 && running_seconds() >= ask_after_; }

void Model::answer(bool yes) {
  if (!status_.question) throw InputError("answer", "nothing was asked");
  const Question asked = std::move(*status_.question);
  status_.question.reset();
  if (!yes) {
    if (asked.action.name.empty()) kept_ = true;
    if (!asked.reopen) return;
    ViewState next = state();
    next.path = asked.before.path;
    next.watch = asked.before.watch;
    next.pixel = asked.before.pixel;
    next.pet = asked.before.pet;
    return history_.amend(std::move(next));
  }
  if (asked.reopen) return open_now(state().path);
  if (asked.action.name.empty()) return send_run();
  answering_ = true;
  try_apply(asked.action);
  answering_ = false;
}

}  // namespace backlit::viewer
