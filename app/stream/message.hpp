// Messages over a socket from a scanner to the viewer. Each message has one or two parts: a JSON header, and values.
//
//   {"backlit": 1, "type": "scan", "scan": "[detector]\n..."}   a .scan.toml as text; the first message; may be
//                                                               repeated with the same text
//   {"type": "view", "index": 7, "columns": 512, "rows": 512, "dtype": "f32"}        + rows x columns values, little
//   {"type": "view", "index": 7, "columns": 512, "rows": 512, "dtype": "u16", "open": 60000}   endian, column fastest
//   {"type": "end"}
//
// f32: line integrals. u16: counts c, converted to -log(max(c, 1/2) / open). Views may come in any order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "stream/view_feed.hpp"

namespace backlit::stream {

struct ScanMessage {
  std::string scan;
};
struct EndMessage {};
using Message = std::variant<ScanMessage, ArrivedView, EndMessage>;

/// Throws InputError that describes the fault: not JSON, a missing key, a size that does not fit.
Message decode(std::string_view header, std::span<const std::byte> values);

std::string scan_header(const std::string& scan_toml);
std::string view_header(std::int64_t index, std::int64_t columns, std::int64_t rows);  ///< for f32 values
std::string end_header();

}  // namespace backlit::stream
