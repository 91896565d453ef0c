// A browser for `backlit-view --serve`: HTTP and WebSocket on a plain socket, and the page's picture.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <backlit/render/image.hpp>

namespace backlit::test {

/// Runs backlit-view --serve until it is destroyed.
class ServedViewer {
 public:
  /// Starts the viewer; `arguments` come after --serve 0. Waits until it prints its address or ends.
  ServedViewer(const std::filesystem::path& folder, const std::vector<std::string>& arguments);
  ~ServedViewer();
  ServedViewer(const ServedViewer&) = delete;
  ServedViewer& operator=(const ServedViewer&) = delete;

  bool running() const { return port_ > 0; }
  int port() const { return port_; }
  const std::string& token() const { return token_; }
  std::string out() const;
  std::string err() const;
  /// That the process has used so far, on all of its threads.
  double processor_seconds() const;
  /// Sends SIGTERM and waits. Returns the exit status; 128 + signal if a signal ended it.
  int end();

 private:
  std::filesystem::path folder_;
  pid_t child_ = -1;
  int port_ = 0;
  std::string token_;
};

class Socket {
 public:
  explicit Socket(int port);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void send(const std::string& bytes) const;
  /// Bytes that arrive within `seconds`; empty if there are none. `ended()` returns whether the other side has closed.
  std::string receive(double seconds);
  bool ended() const { return ended_; }

 private:
  int handle_ = -1;
  bool ended_ = false;
};

/// The whole answer to a GET, including its head.
std::string http_get(int port, const std::string& path, const std::string& host);

struct WebMessage {
  int kind = 0;  ///< 1 text, 2 binary, 8 closed
  std::string bytes;
  int close_status() const;
};

class WebSocketClient {
 public:
  /// answer() returns the server's answer to the handshake; messages need status 101.
  WebSocketClient(int port, const std::string& token, const std::string& origin);

  const std::string& answer() const { return answer_; }
  bool open() const;
  void send(const std::string& text) const { send_frame(1, text); }
  void send_binary(const std::string& bytes) const { send_frame(2, bytes); }
  std::optional<WebMessage> receive(double seconds);

 private:
  void send_frame(int kind, const std::string& payload) const;

  Socket socket_;
  std::string answer_, buffer_;
};

/// A page: draws the frames that arrive, and confirms them.
class Browser {
 public:
  Browser(const ServedViewer& viewer);

  void send(const std::string& text) const { wire_.send(text); }
  void send_binary(const std::string& bytes) const { wire_.send_binary(bytes); }
  void resize(int width, int height) const;
  void move(double x, double y) const;
  void button(double x, double y, bool down) const;
  void key(const std::string& name, bool ctrl = false) const;
  /// Takes messages until `enough` returns true. False if that takes more than `seconds`, or if the connection closes.
  bool until(const std::function<bool()>& enough, double seconds = 240);
  /// Waits until no message has arrived for `rest` seconds; false if messages keep arriving.
  bool settles(double rest = 2, double seconds = 240);

  /// The picture without lossy parts.
  const Image& screen() const { return screen_; }
  std::int64_t frames() const { return frames_; }
  bool steers() const { return steers_; }
  const std::string& title() const { return title_; }
  /// What the viewer copied last.
  const std::string& clipboard() const { return clipboard_; }
  int closed() const { return closed_; }

 private:
  bool take(double seconds);
  void draw(const std::string& frame);

  WebSocketClient wire_;
  Image screen_;
  std::int64_t frames_ = 0;
  bool steers_ = false;
  std::string title_, clipboard_;
  int closed_ = 0;
};

}  // namespace backlit::test
