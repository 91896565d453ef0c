#include "stream/socket.hpp"

#include <fmt/format.h>

#include <utility>

#include <backlit/core/error.hpp>
#include "stream/folder_feed.hpp"
#include "stream/message.hpp"
#if defined(BACKLIT_HAVE_ZMQ)
#include <zmq.hpp>
#endif

namespace backlit::stream {

#if defined(BACKLIT_HAVE_ZMQ)

namespace {

constexpr std::int64_t largest_message = std::int64_t{1} << 31;

[[noreturn]] void refuse(const std::string& endpoint, const zmq::error_t& error, const char* example) {
  throw InputError(endpoint, error.what(), fmt::format("write {}, say", example));
}

constexpr int send_timeout_ms = 100, tries_in_a_second = 10;

}  // namespace

bool has_sockets() { return true; }

struct SocketFeed::Socket {
  zmq::context_t context{1};
  zmq::socket_t socket{context, zmq::socket_type::pull};
};

SocketFeed::SocketFeed(const std::string& endpoint) : socket_(std::make_unique<Socket>()), endpoint_(endpoint) {
  try {
    socket_->socket.set(zmq::sockopt::linger, 0);
    socket_->socket.set(zmq::sockopt::maxmsgsize, largest_message);
    socket_->socket.bind(endpoint);
    endpoint_ = socket_->socket.get(zmq::sockopt::last_endpoint);
  } catch (const zmq::error_t& error) {
    refuse(endpoint, error, "tcp://*:5555");
  }
}

SocketFeed::~SocketFeed() = default;

std::vector<ArrivedView> SocketFeed::poll() {
  std::vector<ArrivedView> arrived;
  for (std::size_t n = 0; n < most_at_once && !ended_; ++n) {
    zmq::message_t header, values;
    if (!socket_->socket.recv(header, zmq::recv_flags::dontwait)) break;
    // The parts of a message come together: these do not wait.
    if (header.more() && !socket_->socket.recv(values, zmq::recv_flags::dontwait)) break;
    for (zmq::message_t rest; values.more() && socket_->socket.recv(rest, zmq::recv_flags::dontwait);)
      if (!rest.more()) break;
    try {
      take(header.to_string_view(), {static_cast<const std::byte*>(values.data()), values.size()}, arrived);
    } catch (const Error& error) {
      note(error.what());
    }
  }
  return arrived;
}

struct SocketSender::Socket {
  zmq::context_t context{1};
  zmq::socket_t socket{context, zmq::socket_type::push};
};

SocketSender::SocketSender(const std::string& endpoint, const CancelToken& cancel, std::function<void()> waits)
    : socket_(std::make_unique<Socket>()), cancel_(cancel), waits_(std::move(waits)) {
  try {
    socket_->socket.set(zmq::sockopt::immediate, true);  // only to a viewer that is there
    socket_->socket.set(zmq::sockopt::sndhwm, 64);       // views that wait for a slow viewer
    socket_->socket.set(zmq::sockopt::sndtimeo, send_timeout_ms);
    socket_->socket.set(zmq::sockopt::linger, 0);
    socket_->socket.connect(endpoint);
  } catch (const zmq::error_t& error) {
    refuse(endpoint, error, "tcp://localhost:5555");
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
SocketFeed::SocketFeed(const std::string& endpoint) { unavailable(endpoint); }
SocketFeed::~SocketFeed() = default;
std::vector<ArrivedView> SocketFeed::poll() { return {}; }
struct SocketSender::Socket {};
SocketSender::SocketSender(const std::string& endpoint, const CancelToken& cancel, std::function<void()>)
    : cancel_(cancel) {
  unavailable(endpoint);
}
SocketSender::~SocketSender() = default;
void SocketSender::send(const std::string&, std::span<const std::byte>) {}
void SocketSender::end() {}

#endif

void SocketFeed::take(std::string_view header, std::span<const std::byte> values, std::vector<ArrivedView>& arrived) {
  Message message = decode(header, values);
  if (std::holds_alternative<EndMessage>(message)) ended_ = true;
  if (const auto* scan = std::get_if<ScanMessage>(&message)) {
    if (scan_) throw InputError(endpoint_, "a second scan on one connection", "watch it anew");
    scan_ = parse_scan_geometry(scan->scan, "scan message");
  }
  auto* view = std::get_if<ArrivedView>(&message);
  if (!view) return;
  if (!scan_) throw InputError(endpoint_, "a view came before its scan", "send the scan first");
  const Scan& scan = scan_->scan;
  if (view->index < 0 || view->index >= scan.view_count())
    throw InputError(endpoint_, fmt::format("the scan has no view {}", view->index));
  if (static_cast<std::int64_t>(view->values.size()) != scan.detector.pixels())
    throw InputError(endpoint_, fmt::format("view {} has {} values, not {}", view->index, view->values.size(),
                                            scan.detector.pixels()));
  if (seen_.insert(view->index).second) arrived.push_back(std::move(*view));
}

std::string SocketFeed::waiting_for() const {
  return fmt::format("waiting for {} at {}", scan_ ? "views" : "a scan", endpoint_);
}

void SocketSender::scan(const std::string& toml) { send(scan_header(toml), {}); }

void SocketSender::view(std::int64_t index, const Detector& d, std::span<const float> values) {
  send(view_header(index, d.columns, d.rows), std::as_bytes(values));
}

std::unique_ptr<ViewFeed> open_feed(const std::string& from) {
  if (from.find("://") != std::string::npos) return std::make_unique<SocketFeed>(from);
  return std::make_unique<FolderFeed>(from);
}

}  // namespace backlit::stream
