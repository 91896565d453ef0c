#include <fmt/format.h>

#include <map>

#include "model/progress_words.hpp"
#include "panels/notice.hpp"
#include "panels/panels.hpp"
#include "panels/widgets.hpp"
#include "window/synthetic_input.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

struct Words {
  const char *what, *yes;
};

Words words_of(const Question& question) {
  static const std::map<std::string, Words> known{{"quit", {"Quitting", "Quit"}},
                                                  {"cancel", {"Cancelling", "Cancel the run"}},
                                                  {"reconstruct", {"Starting from scratch", "Start again"}},
                                                  {"", {"The change starts a new run and", "Start again"}}};
  const auto found = known.find(question.action.name);
  return found == known.end() || question.reopen ? Words{"Opening a file", "Open it"} : found->second;
}

}  // namespace

void question_panel(Frame& frame) {
  const auto& question = frame.status.question;
  if (!question) return;
  const Notice notice(frame, "question", false, 34, palette().accent);
  const Words words = words_of(*question);
  const Status& s = frame.status;
  const std::string run = s.activity.empty() ? run_in_words(s) : activity_in_words(s);
  const std::string text =
      fmt::format("{} ends this run, which has taken {}.", words.what, duration(frame.model.running_seconds()));
  note_text("question", text);
  ImGui::TextWrapped("%s", text.c_str());
  quiet_text(run);
  ImGui::Spacing();
  if (ImGui::Button("Keep this run")) frame.act("answer", {"no"});
  name_item("Keep this run");
  tooltip(question->action.name.empty() && !question->reopen
              ? "The run ends with the parameters that it began with; press Reconstruct for the new ones  [Escape]"
              : "Nothing changes  [Escape]");
  ImGui::SameLine();
  if (ImGui::Button(words.yes)) frame.act("answer", {"yes"});
  name_item(words.yes);
  if (question->action.name.empty() && !question->reopen) {
    ImGui::SameLine();
    if (ImGui::Button("Undo the change")) frame.act("answer", {"undo"});
    name_item("Undo the change");
  }
}

}  // namespace backlit::viewer
