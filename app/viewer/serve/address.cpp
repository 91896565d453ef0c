#include "serve/address.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>

#include <backlit/core/error.hpp>

namespace backlit::viewer::serve {
namespace {

/// The host without the port: "localhost" of "localhost:8080", "[::1]" of "[::1]:8080".
std::string name_of(const std::string& host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_loopback(const std::string& name) {
  return name == "localhost" || name == "::1" || name == "[::1]" ||
         (name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace

bool Address::loopback() const { return is_loopback(host); }

std::string Address::text() const {
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + std::to_string(port);
}

Address parse_address(const std::string& given) {
  const auto refuse = [&] {
    throw InputError("--serve", "'" + given + "' is not an address", "write PORT, 127.0.0.1:PORT or [::1]:PORT");
  };
  Address a;
  std::string port = given;
  if (const std::size_t colon = given.rfind(':'); colon != std::string::npos) {
    a.host = given.substr(0, colon);
    port = given.substr(colon + 1);
    const bool bracketed = a.host.size() >= 2 && a.host.front() == '[' && a.host.back() == ']';
    if (bracketed) a.host = a.host.substr(1, a.host.size() - 2);
    if (a.host.empty() || bracketed != (a.host.find(':') != std::string::npos)) refuse();
  }
  const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), a.port);
  if (problem != std::errc{} || end != port.data() + port.size() || a.port < 0 || a.port > 65535) refuse();
  return a;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Failure("--serve", "the system gives no random numbers for the token", "allow the system call getrandom");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

bool same_token(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

bool host_allowed(const Address& here, const std::string& host) {
  return !host.empty() && (!here.loopback() || is_loopback(name_of(host)));
}

bool origin_allowed(const std::string& origin, const std::string& host) {
  return origin.empty() || origin == "http://" + host || origin == "https://" + host;
}

}  // namespace backlit::viewer::serve
