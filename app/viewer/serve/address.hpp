// Address of the served viewer, and checks of requests.
#pragma once

#include <string>

namespace backlit::viewer::serve {

struct Address {
  std::string host = "127.0.0.1";
  int port = 0;  ///< 0: any free port

  /// Whether only this machine can reach the address.
  bool loopback() const;
  /// "127.0.0.1:8080"; IPv6 addresses in brackets.
  std::string text() const;
};

/// Parses "[ADDRESS:]PORT". Throws InputError.
Address parse_address(const std::string&);

/// 128 random bits from the system as 32 hexadecimal digits. Throws Failure.
std::string random_token();
/// Compares in a time that does not depend on the number of equal characters.
bool same_token(const std::string& a, const std::string& b);

/// Whether a request for `host` may be meant for `here`. On a loopback address only loopback names are allowed, with
/// any port: thus no internet name can be made to point here.
bool host_allowed(const Address& here, const std::string& host);
/// Whether a page of this origin may connect to `host`. Programs other than browsers send no origin.
bool origin_allowed(const std::string& origin, const std::string& host);

}  // namespace backlit::viewer::serve
