#include "application.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <thread>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "model/actions/random_actions.hpp"
#include "model/sources/source.hpp"
#include "model/values/statistics.hpp"
#include "panels/widgets.hpp"
#include "views/screenshot.hpp"
#include "window/focus_order.hpp"
#include "window/fonts.hpp"
#include "window/shortcuts.hpp"
#include "window/theme.hpp"

namespace backlit::viewer {
namespace {

constexpr double long_run = 60;                      ///< s, after which a run is not thrown away unasked
constexpr double resting = 0.5;                      ///< seconds between frames when nothing happens
constexpr int longest_delay = 400;                   ///< frames that a screenshot waits for a sharp picture
constexpr float side_width = 310, least_side = 180;  ///< units
constexpr ImGuiWindowFlags fixed_window = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

std::filesystem::path preferences_file() { return config_folder() / "preferences.toml"; }

void begin_fixed(const char* id, const Rect& r, ImVec2 padding, ImGuiWindowFlags flags = fixed_window) {
  ImGui::SetNextWindowPos(r.min);
  ImGui::SetNextWindowSize(r.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin(id, nullptr, flags);
  ImGui::PopStyleVar(2);
}

}  // namespace

Application::Application(Surface& surface, const ApplicationOptions& options)
    : surface_(surface),
      options_(options),
      gui_(surface),
      backend_(surface.context()),
      painter_(surface.context()),
      model_({.make_context = surface.worker_context(), .wake = surface.waker()}),
      panes_(backend_),
      pictures_(surface.context()),
      movie_(surface.context()),
      random_(options.seed),
      random_left_(options.random_actions) {
  set_hooks();
  if (by_hand()) model_.ask_after(long_run);
  if (options.commands) commands_in_ = std::make_unique<CommandInput>(STDIN_FILENO, STDOUT_FILENO, surface.waker());
  if (!options.sweep.empty()) sweep_ = Sweep::parse(options.sweep);
  if (!options.script.empty()) script_.emplace(options.script);
  if (by_hand()) try {
      preferred_ = load_preferences(preferences_file());
      model_.prefer(preferred_);
      files_.start_in(preferred_.folder);
    } catch (const Error& error) {
      model_.report(error.what());
    }
  if (!options.scanner.empty()) model_.try_apply({"scanner", {options.scanner}});
  if (!options.file.empty()) model_.try_apply({"open", {options.file}});
  if (!options.on_failure.empty()) model_.try_apply({"set", {"on_failure", options.on_failure}});
}

void Application::set_hooks() {
  WindowHooks& h = model_.hooks;
  h.quit = [this] { quit_ = true; };
  h.ask_path = [this](const Action& action, const std::string& suggestion) { files_.ask(action, suggestion); };
  h.ask_folder = [this](const Action& action) { files_.ask_folder(action); };
  h.show_import = [this](const std::string& file) { import_.ask(file); };
  if (by_hand()) h.offer_import = h.show_import;
  if (by_hand()) h.room = [this] { return room(); };
  h.show_commands = [this] { commands_.ask(); };
  h.toggle_help = [this] { help_ = !help_; };
  h.focus_next = [this] { focus_next(); };
  h.open_page = [this](const std::filesystem::path& page) { surface_.open_page(page); };
  h.toggle_fullscreen = [this] { surface_.toggle_fullscreen(); };
  h.screenshot = [this](const std::string& path, const std::string& label) {
    screenshots_.push_back({path.empty() ? free_screenshot_name() : path, label});
  };
  h.resize = [this](std::int64_t width, std::int64_t height) {
    if (width < 0 || height < 0 || width > 16384 || height > 16384)
      throw InputError("resize", fmt::format("{} x {} pixels", width, height), "0 to 16384 are possible");
    surface_.resize(width, height);
  };
  h.write_pictures = [this](std::vector<Turntable> path, const std::string& pattern, std::int64_t side) {
    pictures_.begin(std::move(path), pattern, side, model_.state());
    model_.writing(0, pictures_.total());
  };
  h.cancel_pictures = [this] {
    pictures_.cancel();
    model_.writing(0, 0);
  };
  h.shows_slices = [this] {
    const std::string& panes = model_.state().layout.panes;
    return !sweeping_ && (panes == "four" || panes == "slices");
  };
  h.input = [this](const Action& action) { apply_input(action); };
  h.text_of = item_text;
  h.say = [this](const std::string& text) {
    if (commands_in_) return commands_in_->say(text);
    fmt::print("{}\n", text);
    std::fflush(stdout);
  };
  h.input_busy = [this] { return synthetic_.busy() || !screenshots_.empty(); };
}

void Application::run() {
  while (!quit_ && !closed()) {
    const auto begun = Clock::now();
    pause();
    const auto read = Clock::now();
    const bool touched = surface_.poll(patience());
    if (touched) busy_frames_ = 3;
    take_dropped(surface_.take_dropped());
    model_.update();
    if (left_out()) continue;
    if (const auto& source = model_.status().source; source && source->path != titled_) {
      titled_ = source->path;
      surface_.set_title(std::filesystem::path(titled_).filename().string() + " - Backlit");
    }
    const bool commanded = commands_in_ && step_commands();
    const bool scripted = (script_ && script_->step(model_)) || commanded;
    surface_.draw_unseen(!screenshots_.empty() || synthetic_.busy());
    if (!scripted) random_step();
    const bool counts = options_.frames > 0 && !scripted && (!sweep_ || sweep_step());
    if (counts && frames_ == 0) begin_measurement();
    count_frame(Clock::now());
    model_.frames_first().begin();
    last_generation_ = model_.status().generation;
    const bool again = unfinished_ = frame();
    model_.frames_first().end();
    if (counts) count_times(begun, read);
    if (busy_frames_ > 0) --busy_frames_;
    if (again || synthetic_.busy() || scripted || model_.compared_by() == "flicker" || model_.playing())
      busy_frames_ = std::max(busy_frames_, 2);
    const bool settled = !synthetic_.busy() && screenshots_.empty() && !pictures_.busy();
    if (options_.frames > 0 && frames_ >= options_.frames) break;
    const bool done = !scripted && random_left_ == 0 && settled;
    if (done && (options_.random_actions > 0 || (script_ && options_.frames == 0))) break;
    if (done && options_.ends_with_commands && commands_in_ && commands_in_->ended()) break;
  }
  if (!options_.screenshot.empty() && gui_.frame()) save_screenshot(gui_.frame(), options_.screenshot, "");
  if (options_.frames > 0) report_speed();
}

/// Commands are not asked whether they may end a long run. Whether one is unfinished.
bool Application::step_commands() {
  model_.ask_after(0);
  const bool unfinished = commands_in_->step(model_);
  model_.ask_after(long_run);
  return unfinished;
}

/// Whether the window is to close: while a long run would be lost, closing it once only asks.
bool Application::closed() {
  if (!surface_.closed()) return false;
  const auto& question = model_.status().question;
  const bool asked = question && question->action.name == "quit";
  if (asked || !model_.is_long_run() || !surface_.keep_open()) return true;
  model_.try_apply({"quit"});
  busy_frames_ = 3;
  return quit_;
}

/// Waits before inputs are read, so that the wait does not delay them.
void Application::pause() {
  model_.frames_first().wait();
  waited_ = Clock::now();
  // Draw as often as a screen would: drawing more often would slow down the reconstruction.
  if (sweeping_) std::this_thread::sleep_until(sweep_->next_refresh(waited_));
}

void Application::count_times(Clock::time_point begun, Clock::time_point read) {
  const auto ms = [](Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); };
  const auto seen = Clock::now();
  frame_ms_.push_back(ms(waited_ - begun) + ms(seen - read));  // without the wait for the screen
  frame_times_.push_back({ms(read - started_), ms(seen - started_)});
  ++frames_;
}

/// Frames per second, smoothed over some frames; 0 after a rest.
void Application::count_frame(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - std::exchange(last_frame_, now)).count();
  if (seconds > 0.8 * resting)
    frames_per_second_ = 0;
  else if (seconds > 0)
    frames_per_second_ = frames_per_second_ > 0 ? 1 / (0.9 / frames_per_second_ + 0.1 * seconds) : 1 / seconds;
}

double Application::patience() const {
  if (left_out()) return 0.01;
  const bool hurry = busy_frames_ > 0 || options_.frames > 0 || random_left_ > 0 || synthetic_.busy();
  if (hurry) return 0;
  return script_ || options_.random_actions > 0 ? 0.01 : resting;
}

bool Application::frame() {
  const LayoutState& layout = model_.state().layout;
  for (const std::string& path : model_.recent()) want_letters(path);
  for (const std::string& error : model_.status().errors) want_letters(error);
  want_letters(model_.state().path + model_.state().watch);
  gui_.set_look(layout.theme, static_cast<float>(layout.font_scale));
  const auto [width, height] = surface_.size();
  if (width < 1 || height < 1) {  // hidden window: screenshots would be empty
    if (!screenshots_.empty()) model_.report("screenshot: the window has no size now");
    screenshots_.clear();
    synthetic_.let_go();
    return false;
  }
  give_tab(files_.shown() || import_.shown() || commands_.wanted() || help_);
  if (!gui_.begin_frame(by_hand(), [this] { synthetic_.apply(); })) return false;
  take_shortcuts();
  Frame frame(model_, painter_, backend_, pending_, live_, gui_.unit());
  now_ = &frame;
  build(frame);
  live_.order(frame);
  write_pictures(frame);
  now_ = nullptr;
  model_.end_frame();  // panes are drawn; showing the frame may wait for the screen, and must not hold the volume
  gui_.end_frame();
  model_.frame_seen();
  act_on(frame);
  keep_preferences();
  take_screenshots(frame.wants_another());
  return frame.wants_another();
}

void Application::write_pictures(Frame& frame) {
  if (!pictures_.busy()) return;
  try {
    pictures_.work(frame);
  } catch (const Error& error) {
    model_.report(error.what());
  }
  model_.writing(pictures_.done(), pictures_.total());
  busy_frames_ = std::max(busy_frames_, 2);
}

void Application::take_screenshots(bool coarse) {
  // Wait until the picture is sharp. A picture that keeps changing is taken after `longest_delay` frames.
  if (screenshots_.empty() || (coarse && ++screenshot_delay_ < longest_delay)) return;
  screenshot_delay_ = 0;
  for (const Screenshot& shot : std::exchange(screenshots_, {})) try {
      if (gui_.frame()) save_screenshot(gui_.frame(), shot.path, shot.label);
    } catch (const Error& error) {
      model_.report(error.what());
    }
}

void Application::build(Frame& frame) {
  menu_bar(frame);
  const ImVec2 all = ImGui::GetIO().DisplaySize;
  // Whole pixels: ImGui cuts windows to whole pixels, and a gap would be seen.
  const float top = std::floor(ImGui::GetFrameHeight()), em = ImGui::GetFontSize();
  const auto rows = static_cast<float>(tool_rows_);
  const float bar =
      std::floor(rows * ImGui::GetFrameHeight() + (rows - 1) * ImGui::GetStyle().ItemSpacing.y + 10 * frame.unit);
  const float bottom = std::floor(ImGui::GetTextLineHeight() + 10 * frame.unit);
  const float rest = std::max(1.0f, all.y - top - bottom);
  const bool nothing = !frame.status.source && !frame.status.opening && !frame.has_volume();  // or it failed to open
  if (nothing) {
    begin_fixed("start", {{0, top}, {all.x, rest + bottom}}, {em, em}, fixed_window & ~ImGuiWindowFlags_NoScrollbar);
    start_screen(frame);
    ImGui::End();
  } else {
    // Panels on both sides; all on the left if the views would become narrow; none if the views would vanish.
    const LayoutState& layout = frame.next.layout;
    const float side = side_width * frame.unit, line = frame.unit;
    const int sides = !layout.show_panels || all.x < 1.8f * side ? 0 : all.x < 3.3f * side ? 1 : 2;
    const auto width = [&](double chosen, bool shown) {
      const float most = std::max(side, all.x / (static_cast<float>(sides) + 1));  // the views keep their share
      return !shown ? 0 : std::floor(chosen > 0 ? std::min(static_cast<float>(chosen) * frame.unit, most) : side);
    };
    const float from = width(layout.left_width, sides > 0), right = width(layout.right_width, sides > 1);
    if (sides == 1) side_panel(frame, "all", {{0, top}, {from, rest}}, true, true);
    if (sides == 2) side_panel(frame, "left", {{0, top}, {from, rest}}, true, false);
    if (sides == 2) side_panel(frame, "right", {{all.x - right, top}, {right, rest}}, false, true);
    const float inner = std::max(1.0f, all.x - from - right);
    begin_fixed("tools", {{from, top}, {inner, bar}}, {5 * frame.unit, 5 * frame.unit});
    if (const int now = tool_bar(frame); std::exchange(tool_rows_, now) != now) frame.again();
    ImGui::End();
    const Rect views{{from, top + bar}, {inner, std::max(1.0f, rest - bar)}};
    begin_fixed("views", views, {0, 0}, fixed_window | ImGuiWindowFlags_NoBackground);
    panes_.draw(frame, {{views.min.x + line, views.min.y}, {std::max(1.0f, inner - 2 * line), views.size.y}});
    ImGui::End();
    if (sides > 0) panel_border(frame, true, from, top, rest);
    if (sides > 1) panel_border(frame, false, all.x - right, top, rest);
    begin_fixed("status", {{0, top + rest}, {all.x, bottom}}, {em * 0.6f, 5 * frame.unit});
    status_bar(frame, script_ ? 0 : frames_per_second_);
    ImGui::End();
  }
  profile_window(frame);
  files_.draw(frame);
  import_.draw(frame);
  listen_panel(frame);
  question_panel(frame);
  export_panel(frame);
  commands_.draw(frame);
  error_panel(frame);
  help_sheet(frame, help_);
}

/// Whether what steers a run stays in sight while other panels are scrolled.
bool Application::run_stays(const Frame& frame, const Rect& side) {
  constexpr float room = 560;  // units
  return frame.status.source && frame.status.source->can_run() && side.size.y > room * frame.unit;
}

/// Returns the rest of `side`, below it.
Rect Application::run_window(Frame& frame, const Rect& side) {
  const float bar = ImGui::GetStyle().ScrollbarSize;  // as much room as other panels leave for their scroll bar
  const Rect place{side.min, {side.size.x - bar, run_height_}};
  ImGui::GetBackgroundDrawList()->AddRectFilled(place.min, {side.max().x, place.max().y},
                                                ImGui::GetColorU32(ImGuiCol_WindowBg));
  begin_fixed("run", place, ImGui::GetStyle().WindowPadding);
  run_panel(frame);
  if (const float height = std::floor(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
      std::exchange(run_height_, height) != height)
    frame.again();
  ImGui::End();
  return {{side.min.x, place.max().y}, {side.size.x, side.size.y - place.size.y}};
}

void Application::side_panel(Frame& frame, const char* id, const Rect& asked, bool data, bool look) {
  const Rect rect = data && run_stays(frame, asked) ? run_window(frame, asked) : asked;
  ImGui::SetNextWindowPos(rect.min);
  ImGui::SetNextWindowSize(rect.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  // The scroll bar is always shown, so that the width of the panels never changes.
  ImGui::Begin(id, nullptr, (fixed_window & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysVerticalScrollbar);
  ImGui::PopStyleVar();
  if (data) {
    source_panel(frame);
    list_panel(frame);
    if (!run_stays(frame, asked)) run_panel(frame);
    method_panel(frame);
    corrections_panel(frame);
    pet_panel(frame);
    calibration_panel(frame);
    region_panel(frame);
    plots_panel(frame);
  }
  if (look) {
    window_panel(frame);
    volume_panel(frame);
    transfer_panel(frame);
    material_panel(frame);
    cut_panel(frame);
    compare_panel(frame);
    measure_panel(frame);
    segment_panel(frame);
    movie_.draw(frame);
  }
  ImGui::End();
}

void Application::panel_border(Frame& frame, bool left, float x, float top, float height) {
  const char* const id = left ? "left border" : "right border";
  const float reach = 2 * frame.unit;
  const Rect grip{{x - reach, top}, {2 * reach, height}};
  // ImGui puts windows that stay behind others under those that were there before: this one must lie over the views.
  constexpr ImGuiWindowFlags over = (fixed_window & ~ImGuiWindowFlags_NoBringToFrontOnFocus) |
                                    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBackground |
                                    ImGuiWindowFlags_NoNav;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  begin_fixed(id, grip, {0, 0}, over);
  ImGui::PopStyleVar();
  ImGui::SetCursorScreenPos(grip.min);
  ImGui::InvisibleButton(id, grip.size);
  name_item(id);
  if (ImGui::IsItemActive() || ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  double& width = left ? frame.next.layout.left_width : frame.next.layout.right_width;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0) && width > 0) {
    width = 0;
    frame.edited(id);
  } else if (ImGui::IsItemActive() && io.MouseDelta.x != 0) {
    const float wanted = left ? io.MousePos.x : io.DisplaySize.x - io.MousePos.x;
    width = std::clamp(wanted / frame.unit, least_side, 0.5f * io.DisplaySize.x / frame.unit);
    frame.edited(id);
  }
  ImGui::End();
}

/// Asked anew now and then: drivers may take a while to answer.
Room Application::room() {
  constexpr std::chrono::milliseconds fresh{300};
  if (Clock::now() - room_at_ > fresh) {
    room_ = free_room(surface_.context()->limits().software);
    room_at_ = Clock::now();
  }
  return room_;
}

void Application::keep_preferences() {
  if (!by_hand() || ImGui::IsAnyMouseDown()) return;
  Preferences now = preferences_of(model_.state(), files_.folder().string());
  if (model_.list_mode()) now.map = preferred_.map;  // PET has its own
  if (now == preferred_) return;
  preferred_ = std::move(now);
  try {
    save_preferences(preferred_, preferences_file());
  } catch (const Error&) {  // the preferences then last for this run only
  }
}

void Application::act_on(Frame& frame) {
  // A mouse press starts a new undo step, even soon after a change of the same name.
  if (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2)) model_.end_drag();
  if (!frame.edit().empty()) try {
      model_.edit(std::move(frame.next), frame.edit());
    } catch (const Error& error) {
      model_.report(error.what());
    }
  for (const Action& action : frame.actions()) model_.try_apply(action);
  if (ImGui::IsAnyMouseDown()) model_.hold();
  if (ImGui::IsMouseReleased(0) || ImGui::IsMouseReleased(1) || ImGui::IsMouseReleased(2)) model_.end_drag();
  if (!frame.edit().empty() || !frame.actions().empty()) busy_frames_ = std::max(busy_frames_, 3);
}

void Application::take_dropped(const std::vector<std::string>& dropped) {
  // Open scanners first, since a list needs its scanner; of several other files only the last is opened.
  for (const std::string& path : dropped)
    if (is_scanner(path)) model_.try_apply({"open", {path}});
  const auto last = std::find_if_not(dropped.rbegin(), dropped.rend(), is_scanner);
  if (last != dropped.rend()) model_.try_apply({"open", {*last}});
}

void Application::apply_input(const Action& asked) {
  Action a = asked;
  ItemBox place{{0, 0}, {1, 1}};  // coordinates are shares of this box
  if (const std::size_t n = a.arguments.size(); a.name != "drop" && n > 2 && a.arguments[n - 2] == "in") {
    place = item_box(a.arguments[n - 1], a.name.c_str());
    a.arguments.resize(n - 2);
  }
  const auto at = [&](std::size_t i) {
    const auto share = [&](std::size_t argument) { return static_cast<float>(number(a, argument)); };
    return ImVec2(place.low.x + share(i) * (place.high.x - place.low.x),
                  place.low.y + share(i + 1) * (place.high.y - place.low.y));
  };
  const auto has = [&](const char* modifier) { return !a.arguments.empty() && a.arguments.back() == modifier; };
  if (a.name == "drop") return take_dropped(a.arguments);
  if (a.name == "click") return synthetic_.click(a.arguments[0]);
  if (a.name == "key") return synthetic_.key(a.arguments[0]);
  if (a.name == "type") return synthetic_.type(a.arguments[0]);
  if (a.name == "move") return synthetic_.move(at(0));
  if (a.name == "wheel") return synthetic_.wheel(at(0), static_cast<float>(number(a, 2)), has("ctrl"), has("shift"));
  const std::string& name = a.arguments[0];
  const int button = name == "left" ? 0 : name == "right" ? 1 : name == "middle" ? 2 : -1;
  if (button < 0) throw InputError("drag", "there is no button '" + name + "'", "left, right or middle");
  synthetic_.drag(button, at(1), at(3), has("ctrl"), has("shift"));
}

void Application::random_step() {
  if (random_left_ == 0 || synthetic_.busy()) return;
  --random_left_;
  const auto [width, height] = surface_.size();
  const auto spot = [&] {
    return ImVec2(static_cast<float>(random_() % static_cast<unsigned>(std::max<std::int64_t>(1, width))),
                  static_cast<float>(random_() % static_cast<unsigned>(std::max<std::int64_t>(1, height))));
  };
  switch (random_() % 8) {
    case 0:
      return synthetic_.drag(static_cast<int>(random_() % 3), spot(), spot(), random_() % 4 == 0, random_() % 4 == 0,
                             3);
    case 1:
      return synthetic_.wheel(spot(), random_() % 2 ? 1.0f : -1.0f, random_() % 4 == 0, false);
    case 2:
      return surface_.resize(random_() % 40 == 0 ? 0 : 200 + random_() % 900,
                             random_() % 40 == 0 ? 0 : 150 + random_() % 600);
    default:
      model_.try_apply(random_action(model_, random_));
  }
}

/// Advances the sweep once a volume is shown, and the worker is idle or iterates. Returns whether the frame counts.
bool Application::sweep_step() {
  if (!sweeping_) {
    const Status& status = model_.status();
    if (!status.errors.empty()) throw InputError("--sweep", status.errors.front());
    const bool iterating = status.running && status.started.iterations > 0 && status.generation > 0;
    if (!iterating && (!model_.idle() || busy_frames_ > 0)) return false;
    if (status.generation == 0)
      throw InputError("--sweep", "there is no volume that could follow", "open a scan, and let 'follow' be on");
    sweeping_ = true;
  }
  const bool warm = sweep_->warm();
  model_.apply({"set", {sweep_->name(), fmt::format("{}", sweep_->next_value())}});
  return warm;
}

void Application::begin_measurement() {
  started_ = Clock::now();
  first_run_ = model_.status().runs;
  first_generation_ = model_.status().generation;
  first_stages_ = model_.status().stages;
}

void Application::report_speed() const {
  std::vector<double> ms = frame_ms_;
  if (ms.empty()) return;
  const auto share = [](const std::vector<double>& sorted, double s) {
    return sorted[static_cast<std::size_t>(s * static_cast<double>(sorted.size() - 1))];
  };
  const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  std::ranges::sort(ms);
  fmt::print("{} frames in {:.2f} s: {:.1f} frames/s; a frame takes {:.2f} ms (median), {:.2f} ms (99 %)\n", frames_,
             seconds, static_cast<double>(frames_) / seconds, share(ms, 0.5), share(ms, 0.99));
  if (const auto delays = input_delays(frame_times_); !delays.empty())
    fmt::print("delay of an input: {:.1f} ms (median), {:.1f} ms (99 %)\n", share(delays, 0.5), share(delays, 0.99));
  if (sweep_) report_sweep(seconds);
}

void Application::report_sweep(double seconds) const {
  const Status& s = model_.status();
  const std::int64_t runs = s.runs - first_run_;
  const auto shown = static_cast<double>(s.generation - first_generation_);
  const Size3& n = s.grid.size;
  fmt::print("{} x {} x {} voxels from {} views while {} changed: {:.1f} reconstructions/s, {:.1f} volumes shown/s\n",
             n[0], n[1], n[2], s.source ? s.source->scan.view_count() : 0, sweep_->name(),
             static_cast<double>(runs) / seconds, shown / seconds);
  if (runs > 0) fmt::print("a reconstruction takes, in ms: {}\n", stage_times(first_stages_, s.stages, seconds, runs));
}

}  // namespace backlit::viewer
