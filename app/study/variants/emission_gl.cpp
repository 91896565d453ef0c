// Names of the emission variants on the graphics pipeline.
#include "gl/variant_text.hpp"
#include "study/variants/gl_variants.hpp"

namespace backlit::gl {
namespace {

constexpr std::array composites{"front_to_back", "front_to_back_blended", "back_to_front", "best"};
constexpr std::array draws{"fragment", "compute", "best"};

}  // namespace

EmissionVariant parse_emission(const std::string& text) {
  using V = EmissionVariant;
  V v;
  for_items(text, [&](const std::string& key, const std::string& value) {
    if (key == "composite")
      v.composite = find_value<V::Composite>(composites, key, value);
    else if (key == "draw")
      v.draw = find_value<V::Draw>(draws, key, value);
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
