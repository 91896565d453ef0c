#include <backlit/recon/total_variation_options.hpp>

#include <fmt/format.h>

#include <backlit/core/error.hpp>

namespace backlit {

Parameters describe(BoxOptions& o) {
  return steering(
      {{"lower", &o.lower, "least value", "1/mm", -1e9, 1e9}, {"upper", &o.upper, "largest value", "1/mm", -1e9, 1e9}});
}

void check(const BoxOptions& o) {
  if (!(o.lower < o.upper))
    throw InputError("lower", fmt::format("{} is not below `upper`, {}", o.lower, o.upper), "give a smaller one");
}

Parameters describe(TotalVariationOptions& o) {
  Parameters list{{"strength", &o.strength,
                   "of the penalty; 1 suits the noise, which is `noise` or estimated from the views", "", 0, 1e6},
                  {"lambda", &o.lambda,
                   "weight of total variation beside 1/2 |b - Ax|^2; 0: from the noise and `strength`", "mm", 0, 1e12}};
  if (o.lambda > 0) list.front().needs = "`lambda` 0";
  return steering(std::move(list));
}

}  // namespace backlit
