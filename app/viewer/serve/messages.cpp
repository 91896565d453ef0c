#include "serve/messages.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <backlit/core/error.hpp>

namespace backlit::viewer::serve {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& problem) {
  throw InputError("message of the browser", problem, "reload the page");
}

const Json& member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) refuse(std::string("without '") + name + "'");
  return *found;
}

double number(const Json& object, const char* name, double low, double high) {
  const Json& value = member(object, name);
  if (!value.is_number()) refuse(std::string("'") + name + "' is no number");
  const double n = value.get<double>();
  if (!(n >= low && n <= high)) refuse(std::string("'") + name + "' is out of range");
  return n;
}

std::int64_t integer(const Json& object, const char* name, std::int64_t low, std::int64_t high) {
  const double n = number(object, name, static_cast<double>(low), static_cast<double>(high));
  if (n != std::floor(n)) refuse(std::string("'") + name + "' is no integer");
  return static_cast<std::int64_t>(n);
}

bool flag(const Json& object, const char* name) {
  const Json& value = member(object, name);
  if (!value.is_boolean()) refuse(std::string("'") + name + "' is neither true nor false");
  return value.get<bool>();
}

std::string text(const Json& object, const char* name, std::size_t longest) {
  const Json& value = member(object, name);
  if (!value.is_string()) refuse(std::string("'") + name + "' is no text");
  auto s = value.get<std::string>();
  if (s.size() > longest) refuse(std::string("'") + name + "' is too long");
  return s;
}

/// Clients need not know of Alt.
Modifiers modifiers(const Json& m) { return {flag(m, "ctrl"), flag(m, "shift"), m.contains("alt") && flag(m, "alt")}; }

PointerMoved pointer(const Json& m) {
  const auto at = [&](const char* name) { return static_cast<float>(number(m, name, -1e5, 1e5)); };
  return {at("x"), at("y"), modifiers(m)};
}

WheelTurned wheel(const Json& m) {
  const auto steps = [&](const char* name) { return static_cast<float>(number(m, name, -100, 100)); };
  return {pointer(m), steps("across"), steps("along")};
}

/// Checks that a file name stays in the folder of the upload.
std::string file_name(const Json& file) {
  std::string name = text(file, "name", 255);
  const auto bad = [](unsigned char c) { return c < 32 || c == 127 || c == '/' || c == '\\'; };
  if (name.empty() || name.front() == '.' || std::ranges::any_of(name, bad)) refuse("a file name that is not allowed");
  return name;
}

FilesDropped files(const Json& m) {
  const Json& list = member(m, "files");
  if (!list.is_array() || list.empty() || list.size() > most_files) refuse("no files, or more than 1000, were dropped");
  FilesDropped dropped;
  for (const Json& file : list) {
    if (!file.is_object()) refuse("a dropped file without a name");
    dropped.files.push_back(
        {file_name(file), static_cast<std::uint64_t>(integer(file, "bytes", 0, std::int64_t{1} << 50))});
  }
  return dropped;
}

}  // namespace

Message parse_message(std::string_view json) {
  if (json.size() > largest_message) refuse("too long");
  const Json m = Json::parse(json, nullptr, false);
  if (!m.is_object()) refuse("no JSON object");
  const std::string kind = text(m, "kind", 16);
  if (kind == "move") return pointer(m);
  if (kind == "leave") return PointerLeft{};
  if (kind == "button") return ButtonChanged{pointer(m), static_cast<int>(integer(m, "button", 0, 2)), flag(m, "down")};
  if (kind == "wheel") return wheel(m);
  if (kind == "key") return KeyChanged{text(m, "key", 16), flag(m, "down"), modifiers(m)};
  if (kind == "text") return TextTyped{text(m, "text", 1024)};
  if (kind == "paste") return TextPasted{text(m, "text", largest_message)};
  if (kind == "resize")
    return WindowResized{integer(m, "width", 1, largest_side), integer(m, "height", 1, largest_side),
                         static_cast<float>(number(m, "scale", 0.5, 8))};
  if (kind == "off") return InputReleased{};
  if (kind == "shown") return FrameShown{static_cast<std::uint32_t>(integer(m, "number", 0, 0xffffffff))};
  if (kind == "steer") return SteeringWanted{};
  if (kind == "drop") return files(m);
  refuse("of an unknown kind");
}

}  // namespace backlit::viewer::serve
