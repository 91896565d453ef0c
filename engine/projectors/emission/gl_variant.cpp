#include "projectors/emission/gl_variant.hpp"

#include <fmt/format.h>

#include <array>

#include <backlit/core/error.hpp>
#include "projectors/shared/gl/variant_text.hpp"

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

std::vector<EmissionOptions> emission_variants() {
  std::vector<EmissionOptions> all;
  for (const Precision p : {Precision::exact, Precision::fast, Precision::half})
    for (const char* text : {"composite=front_to_back,draw=compute", "composite=front_to_back,draw=fragment",
                             "composite=front_to_back_blended,draw=fragment", "composite=back_to_front,draw=compute",
                             "composite=back_to_front,draw=fragment"}) {
      all.push_back({.precision = p, .variant = text});
    }
  return all;
}

}  // namespace backlit::gl
