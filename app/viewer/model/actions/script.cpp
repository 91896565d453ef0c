#include "model/actions/script.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include <backlit/core/error.hpp>

namespace backlit::viewer {

namespace {

/// Whether an action needs an open file; the script then waits for a file that is being opened.
bool takes_views(const std::string& action) {
  return action == "reconstruct" || action == "center" || action == "find center" || action == "calibrate";
}

/// Whether an action runs while a turntable is being written; other lines wait.
bool goes_on_beside_pictures(const std::string& action) {
  return action == "wait" || action == "expect" || action == "screenshot" || action == "click" ||
         action == "cancel export";
}

}  // namespace

Script::Script(const std::filesystem::path& path) : name_(path.string()) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw InputError(name_, "a folder, not a script");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(name_, "no such file, or it cannot be read");
  parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

Script::Script(const std::string& text, const std::string& name) : name_(name) { parse(text); }

void Script::parse(const std::string& text) {
  std::int64_t number = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++number;
    if (auto action = parse_action(text.substr(at, end - at), fmt::format("{}:{}", name_, number)))
      lines_.push_back({number, std::move(*action)});
    at = end + 1;
  }
}

std::string Script::where(const Line& line) const { return fmt::format("{}:{}", name_, line.number); }

bool Script::waits(Model& model, const Line& line) {
  const Action& a = line.action;
  if (!waiting_) {
    waiting_ = true;
    since_ = Clock::now();
    frames_ = 0;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
  bool over = false;
  if (a.arguments[0] == "done")
    over = model.idle();
  else if (a.arguments[0] == "picture")
    over = model.status().generation > 0;
  else if (a.arguments[0] == "frames")
    over = frames_++ >= integer(a, 1);
  else if (a.arguments[0] == "until")
    try {
      over = script_holds(model, a, 1);
    } catch (const Error& error) {
      throw InputError(where(line), error.what());
    }
  else
    over = seconds >= number(a, 0);
  if (!over && seconds > patience && a.arguments[0] != "frames")
    throw InputError(where(line), fmt::format("not finished after {:.0f} s: {}", seconds, text(a)));
  waiting_ = !over;
  return !over;
}

bool Script::step(Model& model) {
  while (next_ < lines_.size()) {
    if (model.hooks.input_busy && model.hooks.input_busy()) return true;
    const Line& line = lines_[next_];
    if (line.action.name == "wait" && waits(model, line)) return true;
    if (model.status().opening && takes_views(line.action.name)) return true;
    if (model.status().pictures_wanted > 0 && !goes_on_beside_pictures(line.action.name)) return true;
    const std::size_t errors = model.status().errors.size();
    const std::string& name = line.action.name;
    const bool may_fail = name == "expect" || name == "dismiss" || name == "wait" || name == "screenshot";
    if (errors > 0 && !may_fail && stops_for_earlier_errors)
      throw InputError(where(line), "before this line: " + model.status().errors.front());
    try {
      if (line.action.name != "wait") model.apply(line.action);
    } catch (const Error& error) {
      throw InputError(where(line), error.what());
    }
    ++next_;
  }
  return false;
}

double script_value(Model& model, const std::string& name) {
  const Status& s = model.status();
  if (name == "views") return s.source ? static_cast<double>(s.source->scan.view_count()) : 0;
  if (name == "events")
    return s.source && s.source->list ? static_cast<double>(s.source->list->summary.counts.prompts) : 0;
  if (name == "generation") return static_cast<double>(s.generation);
  if (name == "runs") return static_cast<double>(s.runs);
  if (name == "errors") return static_cast<double>(s.errors.size());
  if (name == "value") return model.value_at(model.state().crosshair);
  if (name == "residual") return s.residuals.empty() ? NAN : s.residuals.back();
  if (name == "mismatch") return s.comparison ? s.comparison->relative : NAN;
  if (name == "seconds") return s.run_seconds;
  if (name == "first_seconds") return s.first_seconds;
  if (name == "iterations_done") return static_cast<double>(s.residuals.size());
  if (name == "rmse") return s.compared ? s.compared->metrics.rmse : NAN;
  if (name == "ssim") return s.compared ? s.compared->metrics.ssim : NAN;
  if (name == "pinned") return s.pinned ? 1 : 0;
  if (name == "calibrated") return s.calibration ? 1 : 0;
  if (name == "segment_volume") return s.segment ? s.segment->found.volume : NAN;
  if (name == "segment_surface") return s.segment ? s.segment->found.surface : NAN;
  if (name == "slices_live") return model.previewed() ? static_cast<double>(s.slices->size()) : 0;
  if (name == "running") return s.running ? 1 : 0;
  if (name == "paused") return s.paused ? 1 : 0;
  if (name == "asked") return s.question ? 1 : 0;
  if (name == "preview") return s.preview ? 1 : 0;
  if (name == "keyframes") return static_cast<double>(model.state().keyframes.size());
  if (name == "surfaces") return static_cast<double>(model.state().surfaces.size());
  if (name == "measured") return model.state().measurements.empty() ? NAN : measured(model.state().measurements.back());
  ViewState copy = model.state();
  const Parameter p = find_state_parameter(copy, name, model.list_mode());
  if (const auto* value = std::get_if<double*>(&p.target)) return **value;
  if (const auto* value = std::get_if<std::int64_t*>(&p.target)) return static_cast<double>(**value);
  if (const auto* value = std::get_if<bool*>(&p.target)) return **value ? 1 : 0;
  throw InputError(name, "is a text, not a number", "compare it with 'is'");
}

}  // namespace backlit::viewer
