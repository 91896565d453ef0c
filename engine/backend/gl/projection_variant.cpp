#include "backend/gl/projection_variant.hpp"

#include "backend/gl/variant_text.hpp"

namespace backlit::gl {
namespace {

constexpr std::array draws{"rays", "slices", "compute", "best"};
constexpr std::array fetches{"texture3d", "slices"};

}  // namespace

std::string ProjectionVariant::name() const { return fmt::format("draw={}", draws[static_cast<std::size_t>(draw)]); }

ProjectionVariant ProjectionVariant::parse(const std::string& text) {
  ProjectionVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else if (key == "fetch")
      v.fetch = find_value<Fetch>(fetches, key, value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are draw and fetch");
  });
  return v;
}

}  // namespace backlit::gl
