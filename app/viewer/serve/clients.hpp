// The browsers that are connected: which of them steers, what each has of the newest frame, and the thread that encodes
// frames for them. Each browser has at most one encoded frame waiting: frames that come meanwhile are left out.
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

/// All calls may come from any thread.
class Clients {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t most = 16;

  /// `waiting`: called when something is to be fetched by next().
  explicit Clients(std::function<void()> waiting);
  ~Clients();
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  /// Makes no more frames, and calls `waiting` for none.
  void stop();

  std::size_t count() const;
  /// The first steers, the others watch.
  Id join();
  /// The one that has watched longest steers after the one that did. True when the steering one left.
  bool leave(Id);
  bool steers(Id) const;
  void steer(Id);
  void shown(Id, std::uint32_t number);

  /// The newest frame. What did not change is not sent.
  void show(std::shared_ptr<const Picture>);
  /// JSON for all who are there; `kept`: and, as the newest of its kind, for all who come.
  void tell(const std::string& kind, const std::string& json, bool kept);
  /// JSON for one.
  void tell(Id, const std::string& json);

  struct Outgoing {
    bool binary = false;
    Bytes
        bytes;  ///< of a frame: u32 number, u16 left, top, width and height of the whole, low byte first; then the file
  };
  std::optional<Outgoing> next(Id);

 private:
  using Clock = Line::Clock;
  struct Client {
    Line line;
    Area dirty;  ///< changed since it was sent
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
  void tell_roles();
  static Bytes encoded(JpegEncoder&, const Job&);

  std::function<void()> waiting_;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::map<Id, Client> clients_;  ///< in the order in which they came
  std::map<std::string, std::string> kept_;
  Id next_id_ = 1, steering_ = 0;
  std::uint32_t next_number_ = 1;
  std::shared_ptr<const Picture> picture_;
  Clock::time_point changed_{};
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace backlit::viewer::serve
