// The window as a whole: builds each frame from panes and panels, and passes on what they changed.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "frame.hpp"
#include "model/actions/script.hpp"
#include "model/actions/sweep.hpp"
#include "model/input_delays.hpp"
#include "panels/panels.hpp"
#include "views/panes/live_slices.hpp"
#include "views/panes/orthogonal_pane.hpp"
#include "views/panes/projection_pane.hpp"
#include "views/panes/volume_pane.hpp"
#include "views/picture_sequence.hpp"
#include "window/gui.hpp"
#include "window/synthetic_hands.hpp"

namespace backlit::viewer {

struct ApplicationOptions {
  std::string file;                 ///< to open; empty: the opening screen
  std::string scanner;              ///< of lists; empty: what lies beside them
  std::string script;               ///< to run; empty: none
  std::string sweep;                ///< "center_shift=-2:2": changed in every frame once the first volume is there
  std::string screenshot;           ///< picture of the last frame; empty: none
  std::int64_t frames = 0;          ///< end so many after the script, and say how fast they were; 0: when closed
  std::int64_t random_actions = 0;  ///< do so many
  unsigned seed = 1;
};

class Application {
 public:
  Application(Surface&, const ApplicationOptions&);
  /// Until the window is closed, the script is over (when there is one) or the frames are. Throws what the script
  /// does.
  void run();

 private:
  using Clock = std::chrono::steady_clock;
  struct Screenshot {
    std::string path, label;
  };

  void set_hooks();
  bool frame();
  /// Whether a user sits before it, and no script.
  bool by_hand() const { return options_.script.empty() && options_.random_actions == 0; }
  void keep_preferences();
  void build(Frame&);
  void draw_views(Frame&, const Rect&);
  /// What is open and done with it (`data`), and how it is looked at (`look`).
  void side_panel(Frame&, const char* id, const Rect&, bool data, bool look);
  void act_on(Frame&);
  void take_shortcuts();
  void take_dropped(const std::vector<std::string>& paths);
  void obey_hands(const Action&);
  void random_step();
  /// The sweep's next move, once it may begin; whether the frame counts.
  bool sweep_step();
  void begin_measurement();
  void write_pictures(Frame&);
  void take_screenshots(bool coarse);
  void save_screenshot(const Screenshot&);
  double patience() const;
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
  SyntheticHands hands_;
  std::optional<Script> script_;
  std::array<OrthogonalPane, 3> slices_;
  ObliqueSlice oblique_;
  VolumePane volume_;
  PictureSequence pictures_;
  ProjectionPane projections_;
  LiveSlices live_;
  FileDialog files_;
  CommandPalette commands_;
  Preferences preferred_;  ///< as they were saved last
  PendingPoints pending_;
  Frame* now_ = nullptr;  ///< the frame being built, for hooks
  bool help_ = false, quit_ = false;
  int tool_rows_ = 1;
  int busy_frames_ = 3;                  ///< to draw before sleeping: layouts settle in a few
  std::vector<Screenshot> screenshots_;  ///< to be taken
  int screenshot_delay_ = 0;
  std::string titled_;  ///< path of the file that the window is named after
  std::mt19937 random_;
  std::int64_t random_left_ = 0;
  std::optional<Sweep> sweep_;
  bool sweeping_ = false;
  std::int64_t frames_ = 0;              ///< since the script was over and the sweep warm
  std::vector<double> frame_ms_;         ///< for as long as the window was busy with one
  std::vector<FrameTimes> frame_times_;  ///< since started_
  Clock::time_point waited_{};           ///< until the worker had had what it is owed
  Clock::time_point started_{};          ///< the first of them; by then:
  std::int64_t first_run_ = 0, first_generation_ = 0;
  StageSeconds first_stages_;
  double frames_per_second_ = 0;  ///< while frames follow each other; else 0
  Clock::time_point last_frame_ = Clock::now();
};

}  // namespace backlit::viewer
