#include "stream/socket.hpp"

#include <fmt/format.h>

#include <utility>

#include <backlit/core/byte_size.hpp>
#include <backlit/core/error.hpp>
#include <backlit/data/host_memory.hpp>
#include <backlit/geometry/default_grid.hpp>
#include "stream/folder_feed.hpp"
#include "stream/message.hpp"
#if defined(BACKLIT_HAVE_ZMQ)
#include "stream/peers.hpp"
#endif

namespace backlit::stream {

#if defined(BACKLIT_HAVE_ZMQ)

namespace {

constexpr std::int64_t largest_message = std::int64_t{1} << 30;  // bytes: a view of 16384 x 16384
constexpr int messages_that_wait = 4;                            // largest number in memory, of each sender
constexpr std::int64_t strangers_bytes = 64 << 20;  // largest sum for all peers that are not the scan's sender

[[noreturn]] void refuse(const std::string& endpoint, const zmq::error_t& error) {
  throw InputError(endpoint, error.what(), "write tcp://127.0.0.1:5555, say");
}

constexpr int send_timeout_ms = 100, tries_in_a_second = 10;

}  // namespace

bool has_sockets() { return true; }

struct SocketFeed::Socket {
  zmq::context_t context{1};
  zmq::socket_t socket{context, zmq::socket_type::pull};
  Peers peers{context, socket};
};

SocketFeed::SocketFeed(const std::string& endpoint, const std::filesystem::path& key)
    : socket_(std::make_unique<Socket>()), endpoint_(endpoint) {
  check_address_to_listen_at(endpoint);
  zmq::socket_t& socket = socket_->socket;
  try {
    socket.set(zmq::sockopt::linger, 0);
    socket.set(zmq::sockopt::maxmsgsize, largest_message);
    socket.set(zmq::sockopt::rcvhwm, messages_that_wait);
    socket.set(zmq::sockopt::tcp_keepalive, 1);  // detects a sender whose machine is gone, so that another can connect
    socket.set(zmq::sockopt::tcp_keepalive_idle, 15);
    socket.set(zmq::sockopt::tcp_keepalive_intvl, 5);
    socket.set(zmq::sockopt::tcp_keepalive_cnt, 3);
    if (!is_local(endpoint)) {
      socket.set(zmq::sockopt::curve_server, true);
      socket.set(zmq::sockopt::curve_secretkey, read_or_make_key(key));
      key_hint_ = fmt::format(", with the key in {}", key.string());
    }
    socket.bind(endpoint);
    endpoint_ = socket.get(zmq::sockopt::last_endpoint);
  } catch (const zmq::error_t& error) {
    refuse(endpoint, error);
  }
}

SocketFeed::~SocketFeed() {
  socket_.reset();
  remove_socket_file(endpoint_);
}

std::vector<ArrivedView> SocketFeed::poll() {
  std::vector<ArrivedView> arrived;
  for (std::size_t n = 0; n < most_at_once && !ended_; ++n) {
    zmq::message_t header, values, rest;
    if (!socket_->socket.recv(header, zmq::recv_flags::dontwait)) break;
    // All parts of a message arrive together: receiving the rest does not block.
    if (header.more() && !socket_->socket.recv(values, zmq::recv_flags::dontwait)) break;
    bool more = values.more();
    const bool too_many = more;
    while (more && socket_->socket.recv(rest, zmq::recv_flags::dontwait)) more = rest.more();
    const int sender = Peers::sender_of(header);
    socket_->peers.update();
    constexpr std::int64_t besides = 256;  // smallest overhead of a message
    socket_->peers.add_taken(sender, static_cast<std::int64_t>(header.size() + values.size()) + besides);
    if (!admit(sender)) continue;
    try {
      if (too_many) throw InputError(endpoint_, "a message of more than two parts", "see docs/streaming.md");
      take(sender, header.to_string_view(), {static_cast<const std::byte*>(values.data()), values.size()}, arrived);
    } catch (const Error& error) {
      note(error.what());
      if (too_many) socket_->peers.drop(sender);
    }
  }
  limit_what_waits();
  return arrived;
}

bool SocketFeed::admit(int sender) {
  if (!scan_ || sender == sender_ || !socket_->peers.connected(sender_)) return true;
  if (!std::exchange(second_reported_, true))
    note(fmt::format("{}: a second sender is refused while a scan runs; start it after the end", endpoint_));
  socket_->peers.drop(sender);
  return false;
}

/// Drops senders whose data waits in memory and cannot be received: messages of many parts, or too many messages.
void SocketFeed::limit_what_waits() {
  Peers& peers = socket_->peers;
  peers.update();
  const auto drop = [&](int peer, std::int64_t bytes) {
    note(fmt::format("{}: a sender is refused: {} of it wait and are no whole message; send as docs/streaming.md says",
                     endpoint_, byte_size_text(bytes)));
    peers.drop(peer);
  };
  if (scan_ && peers.connected(sender_)) {
    const std::int64_t view = 4 * scan_->scan.detector.pixels();
    if (const std::int64_t bytes = peers.waiting(sender_); bytes > (messages_that_wait + 2) * view + strangers_bytes)
      drop(sender_, bytes);
  }
  if (const auto all = peers.strangers(scan_ ? sender_ : -1); all.bytes > strangers_bytes) drop(all.largest, all.bytes);
}

struct SocketSender::Socket {
  zmq::context_t context{1};
  zmq::socket_t socket{context, zmq::socket_type::push};
};

SocketSender::SocketSender(const std::string& endpoint, const CancelToken& cancel, std::function<void()> waits,
                           const std::filesystem::path& key)
    : socket_(std::make_unique<Socket>()), cancel_(cancel), waits_(std::move(waits)) {
  check_address(endpoint);
  try {
    if (!key.empty() || !is_local(endpoint)) {
      const std::string secret = read_key(key.empty() ? key_file() : key), open = public_half(secret);
      socket_->socket.set(zmq::sockopt::curve_serverkey, open);
      socket_->socket.set(zmq::sockopt::curve_publickey, open);
      socket_->socket.set(zmq::sockopt::curve_secretkey, secret);
    }
    socket_->socket.set(zmq::sockopt::immediate, true);  // queue only to a connected viewer
    socket_->socket.set(zmq::sockopt::sndhwm, 64);       // views queued for a slow viewer
    socket_->socket.set(zmq::sockopt::sndtimeo, send_timeout_ms);
    socket_->socket.set(zmq::sockopt::linger, 0);
    socket_->socket.connect(endpoint);
  } catch (const zmq::error_t& error) {
    refuse(endpoint, error);
  }
}

SocketSender::~SocketSender() = default;

void SocketSender::send(const std::string& header, std::span<const std::byte> values) {
  const auto sent = [this](zmq::const_buffer bytes, zmq::send_flags flags) {
    try {
      return socket_->socket.send(bytes, flags).has_value();
    } catch (const zmq::error_t& error) {
      if (error.num() == EINTR) return false;
      throw Failure("socket", error.what());
    }
  };
  for (int tries = 1; !sent(zmq::buffer(header), values.empty() ? zmq::send_flags::none : zmq::send_flags::sndmore);
       ++tries) {
    cancel_.check();
    if (tries == tries_in_a_second && waits_) std::exchange(waits_, nullptr)();
  }
  waits_ = nullptr;
  if (values.empty()) return;
  while (!sent(zmq::buffer(values.data(), values.size()), zmq::send_flags::none)) cancel_.check();
}

void SocketSender::end() {
  send(end_header(), {});
  socket_->socket.set(zmq::sockopt::linger, 10000);
}

#else

namespace {

[[noreturn]] void unavailable(const std::string& endpoint) {
  throw Unsupported(endpoint, "this program was built without ZeroMQ", "install libzmq3-dev and cppzmq-dev, and build");
}

}  // namespace

bool has_sockets() { return false; }
struct SocketFeed::Socket {};
SocketFeed::SocketFeed(const std::string& endpoint, const std::filesystem::path&) { unavailable(endpoint); }
SocketFeed::~SocketFeed() = default;
std::vector<ArrivedView> SocketFeed::poll() { return {}; }
struct SocketSender::Socket {};
SocketSender::SocketSender(const std::string& endpoint, const CancelToken& cancel, std::function<void()>,
                           const std::filesystem::path&)
    : cancel_(cancel) {
  unavailable(endpoint);
}
SocketSender::~SocketSender() = default;
void SocketSender::send(const std::string&, std::span<const std::byte>) {}
void SocketSender::end() {}

#endif

void SocketFeed::take_scan(int sender, const std::string& text) {
  if (scan_ && text != scan_text_)
    throw InputError(endpoint_, "another scan while one runs", "finish this one, and watch again");
  if (!scan_) {
    ScanFile file = parse_scan_geometry(text, "scan message");
    const Scan& scan = file.scan;
    const VolumeGrid grid = file.volume ? *file.volume : default_grid(scan);
    const auto product = [](std::int64_t a, std::int64_t b) { return static_cast<double>(a) * static_cast<double>(b); };
    // In floating point, since the product may overflow an integer.
    const double bytes =
        4 * (product(scan.view_count(), scan.detector.columns) * static_cast<double>(scan.detector.rows) +
             product(grid.size[0], grid.size[1]) * static_cast<double>(grid.size[2]));
    if (scan.view_count() > most_views)
      throw InputError("scan message", fmt::format("{} views", scan.view_count()),
                       fmt::format("{} can be watched", most_views));
    if (bytes > static_cast<double>(memory_left()))
      throw InputError(
          "scan message",
          fmt::format("{} views of {} x {} and a volume of {} x {} x {} take {:.1f} GB, more than the memory left",
                      scan.view_count(), scan.detector.columns, scan.detector.rows, grid.size[0], grid.size[1],
                      grid.size[2], 1e-9 * bytes),
          "send fewer views or larger pixels");
    scan_ = std::move(file);
    scan_text_ = text;
  }
  sender_ = sender;
}

void SocketFeed::take(int sender, std::string_view header, std::span<const std::byte> values,
                      std::vector<ArrivedView>& arrived) {
  Message message = decode(header, values);
  if (const auto* scan = std::get_if<ScanMessage>(&message)) return take_scan(sender, scan->scan);
  if (!scan_ || sender != sender_) throw InputError(endpoint_, "a message came before its scan", "send the scan first");
  auto* view = std::get_if<ArrivedView>(&message);
  if (!view) {
    ended_ = true;
    return;
  }
  const Scan& scan = scan_->scan;
  if (view->index < 0 || view->index >= scan.view_count())
    throw InputError(endpoint_, fmt::format("the scan has no view {}", view->index));
  if (static_cast<std::int64_t>(view->values.size()) != scan.detector.pixels())
    throw InputError(endpoint_, fmt::format("view {} has {} values, not {}", view->index, view->values.size(),
                                            scan.detector.pixels()));
  if (seen_.insert(view->index).second) arrived.push_back(std::move(*view));
}

std::string SocketFeed::waiting_for() const {
  return fmt::format("waiting for {} at {}{}", scan_ ? "views" : "a scan", endpoint_, key_hint_);
}

void SocketSender::scan(const std::string& toml) { send(scan_header(toml), {}); }

void SocketSender::view(std::int64_t index, const Detector& d, std::span<const float> values) {
  send(view_header(index, d.columns, d.rows), std::as_bytes(values));
}

std::unique_ptr<ViewFeed> open_feed(const std::string& from) {
  if (is_address(from)) return std::make_unique<SocketFeed>(from);
  return std::make_unique<FolderFeed>(from);
}

}  // namespace backlit::stream
