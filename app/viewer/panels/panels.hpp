// All panels: each is a function, or a class if it has data of its own, in a file of its name. Each edits Frame::next
// and names the change.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "frame.hpp"
#include "model/sources/raw_import.hpp"
#include "model/sources/scan_import.hpp"
#include "views/keyframe_pictures.hpp"

namespace backlit::viewer {

// Left side.
void source_panel(Frame&);       ///< the open source
void run_panel(Frame&);          ///< reconstruct, pause, step, finish; progress
void method_panel(Frame&);       ///< method and its parameters
void corrections_panel(Frame&);  ///< rings, beam hardening, scatter, phase: what a scanner adds to the views
void list_panel(Frame&);         ///< contents of the list of PET events
void pet_panel(Frame&);          ///< list-mode OSEM and its parameters
void calibration_panel(Frame&);  ///< rotation axis, offset, turns and distance of the detector
void region_panel(Frame&);       ///< the region to reconstruct, voxels
void plots_panel(Frame&);        ///< residual, throughput over time and over the interval

/// A row of some panels: keeps the volume as it was, and flips between it and the present one.
void before_and_after(Frame&, const std::string& panel);

// Right side.
void window_panel(Frame&);    ///< histogram, window, colour map
void volume_panel(Frame&);    ///< 3-D modes, D2VR, camera
void transfer_panel(Frame&);  ///< transfer function
void cut_panel(Frame&);       ///< oblique slice, clip planes, crop box
void compare_panel(Frame&);   ///< pinned volume A and the present one, B
void measure_panel(Frame&);   ///< tools, results, profile, statistics
void profile_window(Frame&);  ///< the last profile in a large plot over the views, if it is asked for
void material_panel(Frame&);  ///< ranges of values with names, colours and opacities
void segment_panel(Frame&);   ///< a part of the volume by values and brush, its volume and surface

// Around the views.
void menu_bar(Frame&);
/// Wraps into several rows in a narrow window; returns the number of rows.
int tool_bar(Frame&);
void status_bar(Frame&, double frames_per_second);
void start_screen(Frame&);
/// Errors and notes over the views; nothing when there are none.
void error_panel(Frame&);
/// Asks whether to listen at an address from a session file; draws nothing if there is none.
void listen_panel(Frame&);
/// Asks before a long run is thrown away; draws nothing unless something was asked.
void question_panel(Frame&);
/// Progress of the pictures of a turntable or camera path while they are written.
void export_panel(Frame&);
/// All keys and commands; closing the sheet clears `open`.
void help_sheet(Frame&, bool& open);

/// The cameras of a path with their pictures, the path played, movies written.
class MoviePanel {
 public:
  explicit MoviePanel(std::shared_ptr<gl::Context> context) : pictures_(std::move(context)) {}
  void draw(Frame&);

 private:
  void draw_path(Frame&);
  void draw_keyframe(Frame&, std::size_t i, float width);

  KeyframePictures pictures_;
  std::size_t chosen_ = 0;
};

/// Finds commands by words, and runs complete commands with their arguments.
class CommandPalette {
 public:
  void ask();
  bool wanted() const { return wanted_; }  ///< it opens in this frame
  void draw(Frame&);

 private:
  void accept(Frame&, const std::vector<const ActionInfo*>& found);

  bool wanted_ = false, fresh_ = false;
  std::string text_;
  int chosen_ = 0;
};

/// Asks for a path and passes it to an action as its last argument.
class FileDialog {
 public:
  /// `suggestion`: name for a file to write; empty: asks for a file to read.
  void ask(Action action, const std::string& suggestion);
  /// Asks for a folder, or an address (tcp://127.0.0.1:5555) instead.
  void ask_folder(Action action);
  bool shown() const { return shown_; }
  /// The listed folder; empty: the present folder, once the dialog opens.
  const std::filesystem::path& folder() const { return folder_; }
  void start_in(std::filesystem::path folder) { folder_ = std::move(folder); }
  void draw(Frame&);

 private:
  struct Entry {
    std::string name;
    bool folder = false;
    std::uintmax_t bytes = 0;
  };
  enum class Want { read, write, folder };

  void ask(Action action, Want want, const std::string& suggestion);
  void enter(const std::filesystem::path&);
  std::string completed(const std::string& typed) const;
  void accept(Frame&);
  void finish(Frame&, const std::string& answer);
  bool offers(const Entry&) const;
  void draw_places();
  void draw_list(Frame&);
  void draw_buttons(Frame&, bool entered);

  Want want_ = Want::read;
  bool shown_ = false, all_files_ = false, fresh_ = false;
  bool typing_ = false;  ///< the field of the name gets the keys
  std::filesystem::path folder_;
  Action action_;
  std::string name_, problem_;
  std::filesystem::path replacing_;  ///< exists already: only a second press overwrites it
  std::vector<Entry> entries_;
};

/// Asks how values lie in a file without a header, or which TIFF images belong together and whether they are slices or
/// the projections of a scan; shows what that gives.
class ImportDialog {
 public:
  void ask(const std::string& file);
  bool shown() const { return shown_; }
  void draw(Frame&);

 private:
  void draw_raw(Frame&);
  void draw_tiff();
  void draw_slices();
  void draw_scan();
  void open_images();
  void draw_preview(Frame&, float side);
  void finish(Frame&);

  bool shown_ = false, fresh_ = false, changed_ = false, tiff_ = false, whole_stack_ = true, scanned_ = false;
  RawImport raw_;
  ScanImport scan_;                      ///< TIFF: what the images are as projections
  std::string stack_, problem_;          ///< TIFF: all images of the name
  std::unique_ptr<StackReader> images_;  ///< TIFF: those that would be imported
  std::int64_t slices_ = 1, slice_ = 0;
  double pixel_ = 0, spacing_ = 0;  ///< TIFF: mm
  PlaneTextures picture_;
};

}  // namespace backlit::viewer
