// Views over ZeroMQ: the viewer binds a PULL socket, scanners connect PUSH sockets. Waiting for a silent socket never
// blocks. Messages are not trusted: they are checked, and memory for them is limited.
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
  /// Listens at "tcp://127.0.0.1:5555", "tcp://127.0.0.1:*" (any free port), "tcp://*:5555" or "ipc:///path". If other
  /// machines can reach the address, senders need the key in file `key`, which is created if missing. Throws InputError
  /// when the address cannot be used or the build has no ZeroMQ.
  explicit SocketFeed(const std::string& endpoint, const std::filesystem::path& key = key_file());
  ~SocketFeed() override;

  std::vector<ArrivedView> poll() override;
  const ScanFile* scan() const override { return scan_ ? &*scan_ : nullptr; }
  bool ended() const override { return ended_; }
  std::string waiting_for() const override;
  /// The address with the actual port.
  const std::string& endpoint() const { return endpoint_; }

  static constexpr std::size_t most_at_once = 32;     ///< messages in one call
  static constexpr std::int64_t most_views = 50'000;  ///< views of a scan

 private:
  struct Socket;
  /// Whether to accept messages of this sender. A scan has one sender until that sender disconnects.
  bool admit(int sender);
  void limit_what_waits();
  void take(int sender, std::string_view header, std::span<const std::byte> values, std::vector<ArrivedView>& arrived);
  void take_scan(int sender, const std::string& text);

  std::unique_ptr<Socket> socket_;
  std::string endpoint_, key_hint_;
  std::optional<ScanFile> scan_;
  std::string scan_text_;
  int sender_ = -1;  ///< sender of the scan
  std::set<std::int64_t> seen_;
  bool ended_ = false, second_reported_ = false;
};

/// The sending end: sends a scan view by view. Calls block while the viewer is slow or absent, and throw Cancelled on a
/// request to cancel. Nothing is sent before a viewer listens.
class SocketSender {
 public:
  /// Connects with the key in file `key`. If `key` is empty: without a key on this machine, else with key_file().
  /// `cancel` must outlive this object. `waits` is called once, after one second without a listener. Throws InputError
  /// like SocketFeed.
  SocketSender(const std::string& endpoint, const CancelToken& cancel, std::function<void()> waits = {},
               const std::filesystem::path& key = {});
  ~SocketSender();
  void scan(const std::string& toml);
  void view(std::int64_t index, const Detector&, std::span<const float> values);
  /// Marks the end of the scan; the destructor waits up to 10 seconds for unsent messages.
  void end();

 private:
  struct Socket;
  void send(const std::string& header, std::span<const std::byte> values);
  std::unique_ptr<Socket> socket_;
  const CancelToken& cancel_;
  std::function<void()> waits_;
};

}  // namespace backlit::stream
