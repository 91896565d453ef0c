#include "stream/message.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>

namespace backlit::stream {
namespace {

using Json = nlohmann::json;

template <class T>
T get(const Json& header, const char* key) {
  try {
    return header.at(key).get<T>();
  } catch (const Json::exception&) {
    throw InputError("message", fmt::format("'{}' is missing or has the wrong type", key), "see docs/streaming.md");
  }
}

template <class T>
std::vector<T> values_as(std::span<const std::byte> bytes, std::int64_t count) {
  const auto wanted = static_cast<std::size_t>(count) * sizeof(T);
  if (bytes.size() != wanted)
    throw InputError("message", fmt::format("{} bytes of values, expected {}", bytes.size(), wanted));
  std::vector<T> values(static_cast<std::size_t>(count));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

ArrivedView decode_view(const Json& header, std::span<const std::byte> bytes) {
  const auto columns = get<std::int64_t>(header, "columns"), rows = get<std::int64_t>(header, "rows");
  constexpr std::int64_t most = 1 << 20;
  if (columns < 1 || rows < 1 || columns > most || rows > most)
    throw InputError("message", fmt::format("{} x {} pixels", columns, rows));
  ArrivedView view{get<std::int64_t>(header, "index"), {}};
  const auto type = get<std::string>(header, "dtype");
  if (type == "f32") {
    view.values = values_as<float>(bytes, columns * rows);
  } else if (type == "u16") {
    const double open = get<double>(header, "open");
    if (!(open > 0)) throw InputError("message", fmt::format("open is {}", open), "give the open-beam counts");
    for (const std::uint16_t c : values_as<std::uint16_t>(bytes, columns * rows))
      view.values.push_back(static_cast<float>(-std::log(std::max<double>(c, 0.5) / open)));
  } else {
    throw InputError("message", fmt::format("dtype '{}' is unknown", type), "send f32 or u16");
  }
  for (float v : view.values)
    if (!std::isfinite(v))
      throw InputError("message", fmt::format("view {} holds values that are not finite", view.index));
  return view;
}

}  // namespace

Message decode(std::string_view header, std::span<const std::byte> values) {
  const Json json = Json::parse(header, nullptr, false);
  if (!json.is_object()) throw InputError("message", "its header is not a JSON object", "see docs/streaming.md");
  const auto type = get<std::string>(json, "type");
  if (type == "end") return EndMessage{};
  if (type == "view") return decode_view(json, values);
  if (type != "scan") throw InputError("message", fmt::format("type '{}' is unknown", type), "send scan, view or end");
  if (get<std::int64_t>(json, "backlit") != 1)
    throw InputError("message", "its version is not 1", "send \"backlit\": 1");
  return ScanMessage{get<std::string>(json, "scan")};
}

std::string scan_header(const std::string& scan_toml) {
  return Json{{"backlit", 1}, {"type", "scan"}, {"scan", scan_toml}}.dump();
}

std::string view_header(std::int64_t index, std::int64_t columns, std::int64_t rows) {
  return Json{{"type", "view"}, {"index", index}, {"columns", columns}, {"rows", rows}, {"dtype", "f32"}}.dump();
}

std::string end_header() { return Json{{"type", "end"}}.dump(); }

}  // namespace backlit::stream
