#include <backlit/core/byte_size.hpp>

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

const std::string units = "kmgt";  // powers of 1024

/// The power of 1024 that a number's suffix means: "", "b", "m", "mb" or "mib"; -1 for anything else.
int power_of(std::string suffix) {
  for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (suffix.empty() || suffix == "b") return 0;
  const std::string rest = suffix.substr(1);
  const auto unit = units.find(suffix.front());
  return unit != std::string::npos && (rest.empty() || rest == "b" || rest == "ib") ? static_cast<int>(unit) + 1 : -1;
}

}  // namespace

std::int64_t byte_size_from(const std::string& text, const std::string& where) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const int power = error == std::errc() ? power_of(std::string(stop, end)) : -1;
  const double bytes = std::floor(number * std::exp2(10.0 * power));
  if (power < 0 || !(bytes >= 1 && bytes < 0x1p63))
    throw InputError(where, fmt::format("'{}' is no amount of memory", text),
                     "write a positive number and K, M, G or T, as in 256M or 2G");
  return static_cast<std::int64_t>(bytes);
}

std::string byte_size_text(std::int64_t bytes) {
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit < units.size(); ++unit) value /= 1024;
  if (unit == 0) return fmt::format("{} B", bytes);
  return fmt::format("{:.4g} {}iB", value, static_cast<char>(std::toupper(units[unit - 1])));
}

}  // namespace backlit
