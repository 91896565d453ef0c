// Views over ZeroMQ: the viewer binds a PULL socket, scanners connect PUSH sockets. A silent socket is waited for
// without ever blocking. What comes is trusted with nothing but numbers, and with no more memory than they need.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>

#include <backlit/core/progress.hpp>
#include "stream/address.hpp"
#include "stream/view_feed.hpp"

namespace backlit::stream {

/// Whether the program was built with ZeroMQ.
bool has_sockets();

class SocketFeed final : public ViewFeed {
 public:
  /// Listens at "tcp://127.0.0.1:5555", "tcp://127.0.0.1:*" (any free port), "tcp://*:5555" or "ipc:///path". Where
  /// other machines can reach it, senders must have the key in `key`, which is made when there is none. Throws
  /// InputError when the address cannot be used, and where there is no ZeroMQ.
  explicit SocketFeed(const std::string& endpoint, const std::filesystem::path& key = key_file());
  ~SocketFeed() override;

  std::vector<ArrivedView> poll() override;
  const ScanFile* scan() const override { return scan_ ? &*scan_ : nullptr; }
  bool ended() const override { return ended_; }
  std::string waiting_for() const override;
  /// Where it listens, with the port that was found.
  const std::string& endpoint() const { return endpoint_; }

  static constexpr std::size_t most_at_once = 32;     ///< messages in one call
  static constexpr std::int64_t most_views = 50'000;  ///< of a scan

 private:
  struct Socket;
  /// Whether messages of this sender count: one scan has one sender, until it has gone.
  bool admit(int sender);
  void limit_what_waits();
  void take(int sender, std::string_view header, std::span<const std::byte> values, std::vector<ArrivedView>& arrived);
  void take_scan(int sender, const std::string& text);

  std::unique_ptr<Socket> socket_;
  std::string endpoint_, key_hint_;
  std::optional<ScanFile> scan_;
  std::string scan_text_;
  int sender_ = -1;  ///< of the scan
  std::set<std::int64_t> seen_;
  bool ended_ = false, told_of_second_ = false;
};

/// The other end: sends a scan view by view. Where the viewer is slow, or has not come yet, calls wait for it and throw
/// Cancelled when that is asked for. Nothing is sent before a viewer listens.
class SocketSender {
 public:
  /// Connects, with the key in the file `key`; empty: without one on this machine, else with key_file(). `cancel` must
  /// outlive this; `waits` is called once, when nobody has listened for a second. Throws InputError as above.
  SocketSender(const std::string& endpoint, const CancelToken& cancel, std::function<void()> waits = {},
               const std::filesystem::path& key = {});
  ~SocketSender();
  void scan(const std::string& toml);
  void view(std::int64_t index, const Detector&, std::span<const float> values);
  /// Says that this is all; the destructor waits up to 10 seconds for what has not gone out.
  void end();

 private:
  struct Socket;
  void send(const std::string& header, std::span<const std::byte> values);
  std::unique_ptr<Socket> socket_;
  const CancelToken& cancel_;
  std::function<void()> waits_;
};

}  // namespace backlit::stream
