// Messages of a browser to the viewer. Each is one JSON object; every value is checked before use.
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

/// Modifier keys held during another input.
struct Modifiers {
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Modifiers&) const = default;
};

struct PointerMoved {
  float x = 0, y = 0;  ///< px in the frame, from its upper left corner
  Modifiers held;
};
/// The pointer left the page.
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
  std::string key;  ///< in the notation of shortcuts.hpp: "A", "F5", "PageUp"
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
/// The page is no longer active: all keys and buttons are released.
struct InputReleased {};
/// The frame with this number is on the screen.
struct FrameShown {
  std::uint32_t number = 0;
};
/// A watching browser wants to steer.
struct SteeringWanted {};
/// Files dropped on the page. Their bytes follow as binary messages, one file after the other.
struct FilesDropped {
  struct File {
    std::string name;  ///< without folders
    std::uint64_t bytes = 0;
  };
  std::vector<File> files;
};

using Message = std::variant<PointerMoved, PointerLeft, ButtonChanged, WheelTurned, KeyChanged, TextTyped, TextPasted,
                             WindowResized, InputReleased, FrameShown, SteeringWanted, FilesDropped>;

/// Throws InputError for an invalid message.
Message parse_message(std::string_view json);

}  // namespace backlit::viewer::serve
