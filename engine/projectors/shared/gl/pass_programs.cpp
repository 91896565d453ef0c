#include "projectors/shared/gl/pass_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include <backlit/core/error.hpp>

namespace backlit::gl {
namespace {

/// Components that drivers count besides our own: gl_Position, gl_Layer and NVIDIA's ("C5041" at link time).
constexpr std::int64_t spare_components = 8;

}  // namespace

Program& PassPrograms::of(std::int64_t items, const Make& make) {
  auto found = programs_.find(items);
  if (found == programs_.end()) found = programs_.emplace(items, make(items)).first;
  return found->second;
}

bool PassPrograms::links(Context& context, std::int64_t items, const Make& make) try {
  of(items, make);
  return true;
} catch (const Failure&) {
  if (items == 1) throw;
  context.debug().take();  // the driver's errors about it are dealt with
  return false;
}

// Drivers may count a position as four components, or need more components than documented. So where the expected
// number of items does not link, this searches for the largest that does.
std::int64_t PassPrograms::fit(Context& context, std::int64_t wanted, std::int64_t components, bool from_vertex,
                               const Make& make) {
  const Limits& limits = context.limits();
  const std::int64_t all = from_vertex ? limits.varying_components : limits.geometry_output_components;
  const std::int64_t most = std::clamp<std::int64_t>((all - spare_components) / components, 1, wanted);
  std::int64_t fits = 0, fails = most + 1;
  for (std::int64_t n = most; fits + 1 < fails; n = (fits + fails) / 2) (links(context, n, make) ? fits : fails) = n;
  if (fits < wanted) limit_ = fmt::format(",varyings={}", all);
  return fits;
}

std::int64_t PassPrograms::next(std::int64_t left, std::int64_t most) {
  return left >= most ? most : static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(left)));
}

}  // namespace backlit::gl
