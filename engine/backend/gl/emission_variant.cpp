#include "backend/gl/emission_variant.hpp"

#include <fmt/format.h>

#include <array>

#include "backend/gl/variant_text.hpp"
#include "core/error.hpp"

namespace backlit::gl {
namespace {

constexpr std::array composites{"front_to_back", "front_to_back_blended", "back_to_front", "best"};
constexpr std::array draws{"fragment", "compute", "best"};

}  // namespace

const char* EmissionVariant::composite_name() const { return composites[static_cast<std::size_t>(composite)]; }

EmissionVariant EmissionVariant::parse(const std::string& text) {
  EmissionVariant v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "composite")
      v.composite = find_value<Composite>(composites, key, value);
    else if (key == "draw")
      v.draw = find_value<Draw>(draws, key, value);
    else
      throw InputError("variant", fmt::format("unknown key '{}'", key), "there are composite and draw");
  });
  return v;
}

}  // namespace backlit::gl
