#include "backend/gl/projection_variant.hpp"

#include "backend/gl/variant_text.hpp"

namespace backlit::gl {
namespace {

constexpr std::array draws{"rays", "slices", "compute", "best"};
constexpr std::array fetches{"texture3d", "slices"};
constexpr std::array accumulations{"blend", "ping_pong"};

}  // namespace

std::string ProjectionVariant::name() const {
  return fmt::format("draw={}{}", draws[static_cast<std::size_t>(draw)],
                     accumulate == Accumulate::ping_pong ? ",accumulate=ping_pong" : "");
}

ProjectionVariant ProjectionVariant::parse(const std::string& text) {
  ProjectionVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else if (key == "fetch")
      v.fetch = find_value<Fetch>(fetches, key, value);
    else if (key == "accumulate")
      v.accumulate = find_value<Accumulate>(accumulations, key, value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are draw, fetch and accumulate");
  });
  if (v.accumulate == Accumulate::ping_pong) {
    if (v.draw == Draw::best) v.draw = Draw::rays;
    if (v.draw == Draw::compute)
      throw InputError("variant", "draw=compute adds in place, without a ping-pong",
                       "use draw=rays or draw=slices, or leave accumulate out");
  }
  return v;
}

}  // namespace backlit::gl
