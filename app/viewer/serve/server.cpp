#include "serve/server.hpp"

#include <fmt/format.h>
#include <libwebsockets.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/core/printable.hpp>
#include "serve/clients.hpp"
#include "serve/page.hpp"
#include "serve/upload.hpp"

namespace backlit::viewer::serve {
namespace {

/// Limits the messages a second, and the number at once.
class MessageRate {
 public:
  bool one_more() {
    const auto now = std::chrono::steady_clock::now();
    left_ = std::min(burst, left_ + rate * std::chrono::duration<double>(now - std::exchange(last_, now)).count());
    return --left_ >= 0;
  }

 private:
  static constexpr double rate = 1000, burst = 4000;
  double left_ = burst;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// State of one browser.
struct Conversation {
  Clients::Id id = 0;
  std::string incoming;
  MessageRate rate;
  std::optional<Upload> upload;
};

/// Data that libwebsockets keeps for a connection.
struct Session {
  Conversation* conversation;
};

std::string header(lws* socket, lws_token_indexes name) {
  std::string text(512, 0);
  const int length = lws_hdr_copy(socket, text.data(), static_cast<int>(text.size()), name);
  if (length < 0) return "longer than any that is allowed";
  text.resize(static_cast<std::size_t>(length));
  return text;
}

std::string token_of(lws* socket) {
  char buffer[128];
  const char* token = lws_get_urlarg_by_name(socket, "token=", buffer, sizeof buffer);
  return token ? token : "";
}

int close_with(lws* socket, lws_close_status status, std::string reason) {
  reason.resize(std::min<std::size_t>(reason.size(), 120));  // the protocol allows 123 bytes
  lws_close_reason(socket, status, reinterpret_cast<unsigned char*>(reason.data()), reason.size());
  return -1;
}

std::string problem_json(const std::string& text) {
  return nlohmann::json{{"kind", "problem"}, {"text", text}}.dump(-1, ' ', false,
                                                                  nlohmann::json::error_handler_t::replace);
}

}  // namespace

class Server::Network {
 public:
  Network(const Address& address, Handlers handlers)
      : address_(address), token_(random_token()), handlers_(std::move(handlers)), clients_([this] { wake(); }) {
    lws_set_log_level(0, nullptr);
    lws_context_creation_info info{};
    info.port = address.port;
    info.iface = address.host == "0.0.0.0" || address.host == "::" ? nullptr : address_.host.c_str();
    info.protocols = protocols;
    info.user = this;
    info.gid = static_cast<gid_t>(-1);
    info.uid = static_cast<uid_t>(-1);
    info.max_http_header_data2 = 16 << 10;
    info.timeout_secs = 10;  // seconds to receive a whole request
    info.retry_and_idle_policy = &keep_alive;
    info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    if (address.host.find(':') == std::string::npos) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    lws_context* made = lws_create_context(&info);
    lws_vhost* host = made ? lws_create_vhost(made, &info) : nullptr;
    if (!host) {
      if (made) lws_context_destroy(made);
      throw InputError("--serve", address_.text() + " cannot be listened on",
                       "give an address of this machine and a free port; port 0 selects a free port");
    }
    address_.port = lws_get_vhost_listen_port(host);
    context_ = made;
    thread_ = std::thread([this] {
      while (!stop_ && lws_service(context_, 0) >= 0) {
      }
    });
  }

  ~Network() {
    stop_ = true;
    wake();
    thread_.join();
    clients_.stop();  // its thread wakes the network
    lws_context_destroy(context_.exchange(nullptr));
  }

  const Address& address() const { return address_; }
  const std::string& token() const { return token_; }
  Clients& clients() { return clients_; }

 private:
  static int callback(lws*, lws_callback_reasons, void* session, void* in, std::size_t length);
  static int answer(lws*, lws_callback_reasons, void* session, void* in, std::size_t length);

  void wake() {
    if (lws_context* context = context_) lws_cancel_service(context);
  }
  bool welcome(lws*) const;
  int serve_page(lws*);
  int begin(lws*, Session&);
  int receive(lws*, Conversation&, std::string_view);
  void take(Conversation&, bool binary);
  void take_message(Conversation&, Message);
  int write(lws*, Conversation&);
  void end(Session&);

  static const lws_protocols protocols[2];
  static const lws_retry_bo_t keep_alive;

  Address address_;
  std::string token_;
  Handlers handlers_;
  UploadFolder uploads_;
  std::atomic<lws_context*> context_ = nullptr;
  std::atomic<bool> stop_ = false;
  Clients clients_;
  std::thread thread_;
};

const lws_protocols Server::Network::protocols[2] = {
    {"backlit", &Server::Network::callback, sizeof(Session), 64 << 10, 0, nullptr, 0}, {}};
const lws_retry_bo_t Server::Network::keep_alive{nullptr, 0, 0, 20, 60, 0};

/// Whether a request has the token and an allowed host, and comes from our page if it comes from a page.
bool Server::Network::welcome(lws* socket) const {
  const std::string host = header(socket, WSI_TOKEN_HOST);
  return same_token(token_of(socket), token_) && host_allowed(address_, host) &&
         origin_allowed(header(socket, WSI_TOKEN_ORIGIN), host);
}

int Server::Network::serve_page(lws* socket) {
  unsigned char buffer[LWS_PRE + 2048];
  unsigned char *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;
  const auto add = [&](const char* name, const std::string& value) {
    return lws_add_http_header_by_name(socket, reinterpret_cast<const unsigned char*>(name),
                                       reinterpret_cast<const unsigned char*>(value.data()),
                                       static_cast<int>(value.size()), &at, end) == 0;
  };
  const bool written =
      lws_add_http_common_headers(socket, HTTP_STATUS_OK, "text/html; charset=utf-8", page.size(), &at, end) == 0 &&
      add("cache-control:", "no-store") && add("referrer-policy:", "no-referrer") &&
      add("x-content-type-options:", "nosniff") &&
      add("content-security-policy:",
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:; "
          "connect-src 'self' ws://" +
              header(socket, WSI_TOKEN_HOST)) &&
      lws_finalize_write_http_header(socket, start, &at, end) == 0;
  if (!written) return -1;
  lws_callback_on_writable(socket);
  return 0;
}

int Server::Network::begin(lws* socket, Session& session) {
  if (clients_.count() >= Clients::most)
    return close_with(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION,
                      "too many browsers are connected: close one of their tabs");
  session.conversation = new Conversation{clients_.join(), {}, {}, {}};
  handlers_.watched(true);
  return 0;
}

void Server::Network::end(Session& session) {
  if (!session.conversation) return;
  if (clients_.leave(session.conversation->id)) handlers_.steered(InputReleased{});
  delete std::exchange(session.conversation, nullptr);
  if (clients_.count() == 0) handlers_.watched(false);
}

int Server::Network::receive(lws* socket, Conversation& c, std::string_view part) {
  const bool binary = lws_frame_is_binary(socket) != 0;
  if (c.incoming.size() + part.size() + lws_remaining_packet_payload(socket) >
      (binary ? largest_chunk : largest_message))
    return close_with(socket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "a message is too long");
  c.incoming += part;
  if (!lws_is_final_fragment(socket) || lws_remaining_packet_payload(socket) > 0) return 0;
  if (!c.rate.one_more()) return close_with(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
  try {
    take(c, binary);
  } catch (const InputError& error) {
    return close_with(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION, error.what());
  } catch (const Error& error) {
    c.upload.reset();
    clients_.send(c.id, problem_json(error.what()));
  }
  c.incoming.clear();
  return 0;
}

void Server::Network::take(Conversation& c, bool binary) {
  if (!binary) return take_message(c, parse_message(c.incoming));
  if (!clients_.steers(c.id)) c.upload.reset();  // another browser steers now
  if (!c.upload) return;                         // the drop failed or was refused
  c.upload->take(c.incoming);
  if (!c.upload->complete()) return;
  handlers_.dropped(c.upload->delivered());
  c.upload.reset();
}

void Server::Network::take_message(Conversation& c, Message message) {
  if (const auto* frame = std::get_if<FrameShown>(&message)) return clients_.shown(c.id, frame->number);
  if (std::holds_alternative<SteeringWanted>(message)) {
    if (clients_.steers(c.id)) return;
    handlers_.steered(InputReleased{});
    return clients_.steer(c.id);
  }
  if (!clients_.steers(c.id)) return;
  auto* const drop = std::get_if<FilesDropped>(&message);
  if (!drop) return handlers_.steered(std::move(message));
  try {
    c.upload.reset();
    c.upload.emplace(std::move(*drop), uploads_.next());
  } catch (const InputError& error) {
    clients_.send(c.id, problem_json(error.what()));
  }
}

int Server::Network::write(lws* socket, Conversation& c) {
  auto out = clients_.next(c.id);
  if (!out) return 0;
  Bytes framed(LWS_PRE + out->bytes.size());
  std::ranges::copy(out->bytes, framed.begin() + LWS_PRE);
  const auto kind = out->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
  if (lws_write(socket, framed.data() + LWS_PRE, out->bytes.size(), kind) < 0) return -1;
  lws_callback_on_writable(socket);
  return 0;
}

/// Exceptions must not pass through libwebsockets, which is C code: close the connection instead.
int Server::Network::callback(lws* socket, lws_callback_reasons reason, void* user, void* in, std::size_t length) {
  try {
    return answer(socket, reason, user, in, length);
  } catch (const std::exception& error) {
    write_to_standard_error(fmt::format("backlit-view: a browser's connection was closed: {}\n", error.what()));
    return -1;
  }
}

int Server::Network::answer(lws* socket, lws_callback_reasons reason, void* user, void* in, std::size_t length) {
  lws_context* const context = lws_get_context(socket);
  auto* const self = context ? static_cast<Network*>(lws_context_user(context)) : nullptr;
  if (!self) return 0;
  auto* const session = static_cast<Session*>(user);
  const auto finish = [&] { return lws_http_transaction_completed(socket) != 0 ? -1 : 0; };
  const auto refuse = [&](unsigned status, const char* text) {
    return lws_return_http_status(socket, status, text) != 0 ? -1 : finish();
  };
  switch (reason) {
    case LWS_CALLBACK_HTTP:
      if (!self->welcome(socket))
        return refuse(HTTP_STATUS_FORBIDDEN, "Open the address that backlit-view printed, with its token.");
      if (std::string_view(static_cast<const char*>(in), length) != "/")
        return refuse(HTTP_STATUS_NOT_FOUND, "The only page is /");
      return self->serve_page(socket);
    case LWS_CALLBACK_HTTP_WRITEABLE: {
      Bytes body(LWS_PRE + page.size());
      std::ranges::copy(page, body.begin() + LWS_PRE);
      if (lws_write(socket, body.data() + LWS_PRE, page.size(), LWS_WRITE_HTTP_FINAL) < 0) return -1;
      return finish();
    }
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      if (self->welcome(socket)) return 0;
      lws_return_http_status(socket, HTTP_STATUS_FORBIDDEN,
                             "Open the address that backlit-view printed, with its token.");
      return 1;
    case LWS_CALLBACK_ESTABLISHED:
      return self->begin(socket, *session);
    case LWS_CALLBACK_RECEIVE:
      return self->receive(socket, *session->conversation, {static_cast<const char*>(in), length});
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return session->conversation ? self->write(socket, *session->conversation) : 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      lws_callback_on_writable_all_protocol(context, &protocols[0]);
      return 0;
    case LWS_CALLBACK_CLOSED:
      self->end(*session);
      return 0;
    default:
      return 0;
  }
}

Server::Server(const Address& address, Handlers handlers)
    : network_(std::make_unique<Network>(address, std::move(handlers))) {}
Server::~Server() = default;

const Address& Server::address() const { return network_->address(); }
std::string Server::url(const Address& as) const {
  return fmt::format("http://{}/?token={}", as.text(), network_->token());
}
void Server::show(std::shared_ptr<const Picture> picture) { network_->clients().show(std::move(picture)); }
void Server::send(const std::string& kind, const std::string& json, bool kept) {
  network_->clients().send(kind, json, kept);
}

}  // namespace backlit::viewer::serve
