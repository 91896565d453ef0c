// The connected browsers: which one steers, and which parts of the newest frame each one has. A thread encodes frames
// for them. Each browser has at most one encoded frame waiting: frames in between are skipped.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "serve/area.hpp"
#include "serve/encode.hpp"
#include "serve/line.hpp"
#include "serve/text_queue.hpp"

namespace backlit::viewer::serve {

/// All functions may be called on any thread.
class Clients {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t most = 16;

  /// `waiting`: called when next() has something to return.
  explicit Clients(std::function<void()> waiting);
  ~Clients();
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  /// Stops encoding frames and calling `waiting`.
  void stop();

  std::size_t count() const;
  /// Adds a browser. The first one steers, the others watch.
  Id join();
  /// Removes a browser. If it steered, the oldest remaining one steers, and the result is true.
  bool leave(Id);
  bool steers(Id) const;
  void steer(Id);
  void shown(Id, std::uint32_t number);

  /// Sets the newest frame. Only changed parts are sent.
  void show(std::shared_ptr<const Picture>);
  /// Sends JSON to all browsers. `kept`: new browsers also get the newest JSON of each kind.
  void send(const std::string& kind, const std::string& json, bool kept);
  /// Sends JSON to one browser.
  void send(Id, const std::string& json);

  struct Outgoing {
    bool binary = false;
    Bytes bytes;  ///< frame: u32 number, u16 left, top, width and height of the whole, little endian; then the file
  };
  std::optional<Outgoing> next(Id);

 private:
  using Clock = Line::Clock;
  struct Client {
    Line line;
    Area dirty;  ///< changed since it was last sent
    Area lossy;  ///< sent as JPEG
    bool encoding = false;
    std::optional<Bytes> frame;
    TextQueue texts;
  };
  struct Job {
    Id id = 0;
    std::shared_ptr<const Picture> picture;
    Area area;
    int quality = 0;  ///< 0: lossless
    std::uint32_t number = 0;
  };

  void work();
  std::optional<Job> next_job(Clock::time_point now);
  void send_roles();
  static Bytes encoded(JpegEncoder&, const Job&);

  std::function<void()> waiting_;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::map<Id, Client> clients_;  ///< in the order of joining
  std::map<std::string, std::string> kept_;
  Id next_id_ = 1, steering_ = 0;
  std::uint32_t next_number_ = 1;
  std::shared_ptr<const Picture> picture_;
  Clock::time_point changed_{};
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace backlit::viewer::serve
