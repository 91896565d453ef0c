// Serves the page and exchanges messages with it: HTTP and WebSocket on a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/address.hpp"
#include "serve/area.hpp"
#include "serve/messages.hpp"

namespace backlit::viewer::serve {

/// All are called on the server's thread.
struct Handlers {
  std::function<void(Message)> steered;                   ///< input of the browser that steers
  std::function<void(std::vector<std::string>)> dropped;  ///< files that it dropped, in a temporary folder
  std::function<void(bool)> watched;                      ///< whether any browser is connected
};

class Server {
 public:
  /// Starts listening. Throws InputError if the address is not available.
  Server(const Address&, Handlers);
  ~Server();

  const Address& address() const;  ///< with the actual port
  /// Address for a browser: host `as` with the token.
  std::string url(const Address& as) const;
  void show(std::shared_ptr<const Picture>);
  /// Sends JSON to all browsers. `kept`: new browsers also get the newest JSON of each kind.
  void send(const std::string& kind, const std::string& json, bool kept);

 private:
  class Network;
  std::unique_ptr<Network> network_;
};

}  // namespace backlit::viewer::serve
