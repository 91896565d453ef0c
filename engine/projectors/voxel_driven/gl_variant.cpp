#include "projectors/voxel_driven/gl_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <backlit/core/error.hpp>

namespace backlit::gl {
namespace {

using V = BackprojectionVariant;

constexpr std::array transforms{"vertex", "fragment"};
constexpr std::array accumulations{"ping_pong", "blend", "loop", "load"};
constexpr std::array targets{"layered", "slice", "image"};
constexpr std::array kills{"none", "stencil", "early_z"};
constexpr std::array interpolations{"linear", "nearest"};
constexpr std::int64_t course_views = 8;

template <std::size_t N, class Enum>
const char* text_of(const std::array<const char*, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

void refuse(bool wrong, const char* problem, const char* remedy) {
  if (wrong) throw InputError("variant", problem, remedy);
}

/// Throws InputError for values that exclude each other.
void check(const V& v) {
  refuse(v.draw == V::Draw::compute && v.kill != V::Kill::none, "draw=compute has no fragments to kill",
         "use draw=slices or kill=none");
  refuse(v.accumulate == V::Accumulate::loop && v.transform == V::Transform::vertex,
         "accumulate=loop has no varyings to loop over", "add transform=fragment");
  refuse(v.accumulate == V::Accumulate::load && v.target != V::Target::image,
         "accumulate=load reads what it writes, which only images can", "add target=image");
  refuse(v.accumulate == V::Accumulate::blend && v.target == V::Target::image,
         "target=image stores past the blend unit", "use accumulate=load or loop");
  refuse(v.accumulate == V::Accumulate::ping_pong && v.target == V::Target::image,
         "target=image reads and writes one volume", "use accumulate=load or loop");
  refuse(v.accumulate == V::Accumulate::ping_pong && v.kill != V::Kill::none,
         "fragments that are killed carry nothing from one volume of the ping-pong to the other",
         "use accumulate=blend or loop");
}

std::string texel_of(Precision precision, bool orbit) {
  return std::string(orbit ? "rgba" : "r") + (precision == Precision::half ? "16f" : "32f");
}

/// Throws InputError for options that compute shaders cannot follow.
void refuse_drawn(const CtOptions& o) {
  const auto refuse = [&](bool given, const char* name, const char* what) {
    if (!given) return;
    throw InputError(name, fmt::format("compute shaders {}", what), "leave it out, or use `pipeline` fragment");
  };
  refuse(o.shader != Shader::automatic, "shader", "apply the matrix to each voxel");
  refuse(o.accumulate != Accumulation::automatic, "accumulate", "add in registers");
  refuse(o.early_kill, "early_kill", "have no fragments to kill");
}

}  // namespace

BackprojectionVariant BackprojectionVariant::of(const CtOptions& o) {
  V v;
  const bool ping_pong = o.accumulate == Accumulation::ping_pong;
  v.unpacked = o.shader != Shader::automatic || o.accumulate != Accumulation::automatic;
  if (o.pipeline == Pipeline::compute) {
    refuse_drawn(o);
    v.draw = Draw::compute;
  } else if (o.pipeline == Pipeline::fragment || v.unpacked || o.early_kill) {
    v.draw = Draw::slices;
  }
  if (ping_pong && o.early_kill)
    throw InputError("early_kill", "fragments that are killed carry nothing from one texture to the other",
                     "use `accumulate` blend");
  if (ping_pong && o.packing == Packing::orbit)
    throw InputError("accumulate", "views packed by quarter turns are added by the blend unit", "use `packing` none");
  v.transform = o.shader == Shader::mp ? Transform::fragment : Transform::vertex;
  v.accumulate = ping_pong ? Accumulate::ping_pong : Accumulate::blend;
  v.kill = o.early_kill ? Kill::early_z : Kill::none;
  v.interpolation = o.interpolation == backlit::Interpolation::nearest ? Interpolation::nearest : Interpolation::linear;
  return v;
}

std::string BackprojectionVariant::name() const {
  if (draw == Draw::compute)
    return fmt::format("texel={},draw=compute,interpolation={}", texel, text_of(interpolations, interpolation));
  std::string text =
      fmt::format("texel={},draw=slices,transform={},accumulate={},target={},kill={},interpolation={}", texel,
                  text_of(transforms, transform), text_of(accumulations, accumulate), text_of(targets, target),
                  text_of(kills, kill), text_of(interpolations, interpolation));
  if (accumulate != Accumulate::loop)
    text += fmt::format(",views={}{}", views, views == course_views ? "(course)" : "");
  return text;
}

BackprojectionVariant BackprojectionVariant::completed(Precision precision, bool orbit, Draw usual) const {
  V v = *this;
  if (v.draw == Draw::best) v.draw = v.kill != Kill::none ? Draw::slices : usual;
  check(v);
  const std::string stored = texel_of(precision, orbit);
  if (!v.texel.empty() && v.texel != stored)
    throw InputError("variant",
                     fmt::format("texel={} is not what precision {} stores {}", v.texel, backlit::name(precision),
                                 orbit ? "packed by quarter turns" : "of single views"),
                     fmt::format("that is {}; precision half stores 16 bits, packing orbit rgba", stored));
  v.texel = stored;
  if (orbit && v.views % 4 != 0)
    throw InputError("variant", fmt::format("views={} is no number of whole groups of four views", v.views),
                     fmt::format("with packing orbit choose {} or {}", v.views / 4 * 4 + 4,
                                 std::max<std::int64_t>(4, v.views / 4 * 4)));
  if (orbit)
    refuse((v.accumulate != Accumulate::blend && v.accumulate != Accumulate::loop) || v.target != Target::layered,
           "packing orbit draws with accumulate=blend or loop and target=layered only", "use `packing` none");
  return v;
}

}  // namespace backlit::gl
