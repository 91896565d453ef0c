#include "backend/gl/backprojection_variant.hpp"

#include <charconv>

#include "backend/gl/variant_text.hpp"

namespace backlit::gl {
namespace {

constexpr std::array draws{"slices", "compute"};
constexpr std::array transforms{"vertex", "fragment"};
constexpr std::array accumulations{"ping_pong", "blend", "loop"};
constexpr std::int64_t most_views = 64;

std::int64_t view_count(const std::string& value) {
  std::int64_t n = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, n);
  if (error != std::errc() || stop != end || n < 0 || n > most_views)
    throw InputError("variant", fmt::format("views '{}' is no number of views a pass", value),
                     fmt::format("choose 1 to {}, or 0 for the best known", most_views));
  return n;
}

}  // namespace

std::string BackprojectionVariant::name() const {
  if (draw == Draw::compute) return "draw=compute";
  std::string text =
      fmt::format("draw=slices,transform={},accumulate={}", transforms[static_cast<std::size_t>(transform)],
                  accumulations[static_cast<std::size_t>(accumulate)]);
  if (accumulate != Accumulate::loop) text += fmt::format(",views={}", views);
  return text;
}

BackprojectionVariant BackprojectionVariant::parse(const std::string& text) {
  BackprojectionVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else if (key == "transform")
      v.transform = find_value<Transform>(transforms, key, value);
    else if (key == "accumulate")
      v.accumulate = find_value<Accumulate>(accumulations, key, value);
    else if (key == "views")
      v.views = view_count(value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key),
                       "there are draw, transform, accumulate and views");
  });
  if (v.accumulate == Accumulate::loop && v.transform == Transform::vertex)
    throw InputError("variant", "accumulate=loop has no varyings to loop over", "add transform=fragment");
  return v;
}

}  // namespace backlit::gl
