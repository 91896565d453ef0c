// The whole window: builds each frame from panes and panels, and applies their changes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "command_input.hpp"
#include "frame.hpp"
#include "model/actions/script.hpp"
#include "model/actions/sweep.hpp"
#include "model/input_delays.hpp"
#include "panels/panels.hpp"
#include "views/panes/live_slices.hpp"
#include "views/panes/panes.hpp"
#include "views/picture_sequence.hpp"
#include "window/gui.hpp"
#include "window/synthetic_input.hpp"

namespace backlit::viewer {

struct ApplicationOptions {
  std::string file;        ///< file to open; empty: the start screen
  std::string scanner;     ///< scanner of lists; empty: the scanner file beside the list
  std::string on_failure;  ///< backend for runs whose device fails; empty: as the session says
  std::string script;      ///< script to run; empty: none
  std::string sweep;       ///< "center_shift=-2:2": parameter to change in every frame after the first volume is shown
  std::string screenshot;  ///< file for a picture of the last frame; empty: none
  bool commands = false;   ///< commands come from standard input while it runs
  bool ends_with_commands = false;  ///< the program ends where no more of them can come
  std::int64_t frames = 0;          ///< frames to measure after the script, then the program ends; 0: no limit
  std::int64_t random_actions = 0;  ///< number of random actions
  unsigned seed = 1;
};

class Application {
 public:
  Application(Surface&, const ApplicationOptions&);
  /// Runs until the window is closed, the script (if any) ends, or all frames are measured. Throws errors of the
  /// script.
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Screenshot {
    std::string path, label;
  };

  void set_hooks();
  bool frame();
  bool closed();
  bool step_commands();
  /// Whether a user controls the window, rather than a script or random actions.
  bool by_hand() const { return options_.script.empty() && options_.random_actions == 0; }
  void keep_preferences();
  Room room();
  void build(Frame&);
  /// Panels at one side: of the open data and the work on it (`data`), of its display (`look`).
  void side_panel(Frame&, const char* id, const Rect&, bool data, bool look);
  static bool run_stays(const Frame&, const Rect& side);
  Rect run_window(Frame&, const Rect& side);
  void act_on(Frame&);
  void take_shortcuts();
  /// The border of the panels at one side: it is dragged, and a double click makes their width automatic.
  void panel_border(Frame&, bool left, float x, float top, float height);
  /// Keys go to the next group of panels that is shown; with none left, to the views again.
  void focus_next();
  void focus_views();
  bool focus_by_tab();
  void focus_item(bool back, bool types);
  void take_dropped(const std::vector<std::string>& paths);
  void apply_input(const Action&);
  void random_step();
  /// Makes the next step of the sweep, if it may begin. Returns whether the frame counts.
  bool sweep_step();
  void begin_measurement();
  void write_pictures(Frame&);
  void take_screenshots(bool coarse);
  double patience() const;
  /// Whether the next frame may be left out: a script waits for the worker, which frames would slow down, and there is
  /// nothing new to see.
  bool left_out() const {
    constexpr std::chrono::milliseconds apart{33};
    return script_ && script_->waits_for_worker() && !unfinished_ && !synthetic_.busy() && screenshots_.empty() &&
           !pictures_.busy() && !model_.playing() && model_.status().generation == last_generation_ &&
           Clock::now() - last_frame_ < apart;
  }
  void pause();
  void count_frame(Clock::time_point now);
  void count_times(Clock::time_point begun, Clock::time_point read);
  void report_speed() const;
  void report_sweep(double seconds) const;

  Surface& surface_;
  ApplicationOptions options_;
  Gui gui_;
  gl::GlBackend backend_;
  Painter painter_;
  Model model_;
  SyntheticInput synthetic_;
  std::optional<Script> script_;
  std::unique_ptr<CommandInput> commands_in_;  ///< null: none come
  Panes panes_;
  PictureSequence pictures_;
  LiveSlices live_;
  FileDialog files_;
  ImportDialog import_;
  MoviePanel movie_;
  CommandPalette commands_;
  Preferences preferred_;  ///< last saved preferences
  Room room_;              ///< as of `room_at_`
  Clock::time_point room_at_{};
  PendingPoints pending_;
  Frame* now_ = nullptr;  ///< the frame being built; used by hooks
  bool help_ = false, quit_ = false;
  int tool_rows_ = 1;
  float run_height_ = 200;               ///< px, of the window that steers a run
  int tab_pending_ = 0;                  ///< Tab ended what was typed: 1 goes on to the next item, -1 back
  std::string focus_;                    ///< window of the panels that the keyboard moves in; empty: the views
  int busy_frames_ = 3;                  ///< frames to draw before sleeping: a layout needs a few frames to settle
  std::vector<Screenshot> screenshots_;  ///< waiting to be taken
  int screenshot_delay_ = 0;
  std::string titled_;  ///< path of the file in the window's title
  std::mt19937 random_;
  std::int64_t random_left_ = 0;
  std::optional<Sweep> sweep_;
  bool sweeping_ = false;
  std::int64_t frames_ = 0;              ///< since the script ended and the sweep became warm
  std::vector<double> frame_ms_;         ///< time that the window worked on each frame
  std::vector<FrameTimes> frame_times_;  ///< relative to started_
  Clock::time_point waited_{};           ///< end of the wait for the worker
  Clock::time_point started_{};          ///< begin of the first measured frame; values at that time:
  std::int64_t first_run_ = 0, first_generation_ = 0;
  StageSeconds first_stages_;
  double frames_per_second_ = 0;  ///< 0 after a rest
  Clock::time_point last_frame_ = Clock::now();
  std::int64_t last_generation_ = 0;  ///< shown by the last frame
  bool unfinished_ = false;           ///< the last frame asked for another
};

}  // namespace backlit::viewer
