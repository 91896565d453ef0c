// What a browser sends to the viewer. A message is one JSON object; each value in it is checked before it is used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace backlit::viewer::serve {

constexpr std::size_t largest_message = 64 << 10;  ///< bytes of text
constexpr std::size_t largest_chunk = 1 << 20;     ///< bytes of a file in one message
constexpr std::size_t most_files = 1000;           ///< in one drop
constexpr std::int64_t largest_side = 8192;        ///< px of a frame

/// Keys that are held while something else happens.
struct Modifiers {
  bool ctrl = false, shift = false;
};

struct PointerMoved {
  float x = 0, y = 0;  ///< px of the frame, from its upper left corner
  Modifiers held;
};
/// Left the page: nothing is under the pointer.
struct PointerLeft {};
struct ButtonChanged {
  PointerMoved at;
  int button = 0;  ///< 0 left, 1 right, 2 middle
  bool down = false;
};
struct WheelTurned {
  PointerMoved at;
  float across = 0, along = 0;  ///< steps; > 0: to the left, away from the user
};
struct KeyChanged {
  std::string key;  ///< as shortcuts.hpp writes it: "A", "F5", "PageUp"
  bool down = false;
  Modifiers held;
};
struct TextTyped {
  std::string text;
};
struct TextPasted {
  std::string text;
};
struct WindowResized {
  std::int64_t width = 0, height = 0;  ///< px
  float scale = 1;                     ///< px of one CSS pixel
};
/// The page is no longer in use: all keys and buttons are up.
struct HandsOff {};
/// The frame of that number is on the screen.
struct FrameShown {
  std::uint32_t number = 0;
};
/// A browser that watched wants to steer.
struct SteeringWanted {};
/// Files that were dropped. Their bytes follow as binary messages, one file after the other.
struct FilesDropped {
  struct File {
    std::string name;  ///< without a folder
    std::uint64_t bytes = 0;
  };
  std::vector<File> files;
};

using Message = std::variant<PointerMoved, PointerLeft, ButtonChanged, WheelTurned, KeyChanged, TextTyped, TextPasted,
                             WindowResized, HandsOff, FrameShown, SteeringWanted, FilesDropped>;

/// Throws InputError for anything else.
Message parse_message(std::string_view json);

}  // namespace backlit::viewer::serve
