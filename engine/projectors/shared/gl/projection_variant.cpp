#include "projectors/shared/gl/projection_variant.hpp"

#include <fmt/format.h>

#include <array>

#include <backlit/core/error.hpp>

namespace backlit::gl {
namespace {

constexpr std::array draws{"rays", "slices", "compute", "best"};
constexpr std::array fetches{"texture3d", "slices", "best"};

}  // namespace

ProjectionVariant ProjectionVariant::of(const CtOptions& o) {
  ProjectionVariant v;
  v.stack = o.stack;
  if (o.accumulate == Accumulation::ping_pong) v.accumulate = Accumulate::ping_pong;
  if (o.pipeline == Pipeline::compute) {
    if (o.accumulate != Accumulation::automatic)
      throw InputError("accumulate", "compute shaders add in place", "leave it out, or use `pipeline` fragment");
    v.draw = Draw::compute;
  } else if (o.pipeline == Pipeline::fragment || o.accumulate != Accumulation::automatic) {
    v.draw = Draw::rays;
  }
  return v;
}

std::string ProjectionVariant::name() const {
  std::string text = fmt::format("draw={}", draws[static_cast<std::size_t>(draw)]);
  if (accumulate == Accumulate::ping_pong) text += ",accumulate=ping_pong";
  if (fetch != Fetch::best) text += fmt::format(",fetch={}", fetches[static_cast<std::size_t>(fetch)]);
  if (stack == Stack::view) text += ",stack=view";
  return text;
}

}  // namespace backlit::gl
