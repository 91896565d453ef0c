// What is asked before a long run is thrown away.
#include <utility>

#include <backlit/core/error.hpp>
#include "model/model.hpp"

namespace backlit::viewer {

bool Model::is_long_run() const { return status_.running && ask_after_ > 0 && running_seconds() >= ask_after_; }

/// `before`: the state of the run, unless a question is open already, which knows it.
void Model::ask_to_reopen(const ViewState& before) {
  const ViewState run = status_.question && status_.question->reopen ? status_.question->before : before;
  const ViewState& now = state();
  const bool same =
      now.path == run.path && now.watch == run.watch && now.pixel == run.pixel && same_list(now.pet, run.pet);
  status_.question.reset();
  if (!same) status_.question = Question{{}, true, run};
}

void Model::answer(bool yes) {
  if (!status_.question) throw InputError("answer", "nothing was asked");
  const Question asked = std::move(*status_.question);
  status_.question.reset();
  if (!yes) {
    if (asked.action.name.empty()) keeps_run_ = true;
    if (!asked.reopen) return;
    ViewState next = state();
    next.path = asked.before.path;
    next.watch = asked.before.watch;
    next.pixel = asked.before.pixel;
    next.pet = asked.before.pet;
    return history_.amend(std::move(next));
  }
  if (asked.reopen) {
    if (state().watch != asked.before.watch) watch_now(state().watch);
    return open_now(state().path);
  }
  if (asked.action.name.empty()) return send_run();
  answering_ = true;
  try_apply(asked.action);
  answering_ = false;
}

}  // namespace backlit::viewer
