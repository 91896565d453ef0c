#include "projectors/emission/gl_variant.hpp"

#include <array>

namespace backlit::gl {

const char* EmissionVariant::composite_name() const {
  constexpr std::array names{"front_to_back", "front_to_back_blended", "back_to_front", "best"};
  return names[static_cast<std::size_t>(composite)];
}

EmissionVariant EmissionVariant::of(const EmissionOptions& o) {
  EmissionVariant v;
  if (o.pipeline != Pipeline::automatic) v.draw = o.pipeline == Pipeline::compute ? Draw::compute : Draw::fragment;
  return v;
}

}  // namespace backlit::gl
