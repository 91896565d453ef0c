#include <backlit/device/ranks.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backlit {
namespace {

thread_local std::shared_ptr<Ranks> sharing;
thread_local int slabs_asked = 0;

}  // namespace

void share_among(std::shared_ptr<Ranks> ranks, int slabs) {
  sharing = std::move(ranks);
  slabs_asked = slabs;
}
const std::shared_ptr<Ranks>& shared_among() { return sharing; }
int slabs_among() { return slabs_asked; }

double Ranks::sum(double value) {
  const std::vector<double> all = gather({&value, 1});
  return std::accumulate(all.begin(), all.end(), 0.0);
}

double Ranks::maximum(double value) {
  const std::vector<double> all = gather({&value, 1});
  return std::accumulate(all.begin(), all.end(), all.front(),
                         [](double a, double b) { return a > b || std::isnan(a) ? a : b; });
}

double Ranks::minimum(double value) { return -maximum(-value); }

std::string Ranks::from_first(const std::string& text) {
  const auto ranks = static_cast<std::size_t>(size());
  std::string result(static_cast<std::size_t>(maximum(rank() == 0 ? static_cast<double>(text.size()) : 0)), '\0');
  Out out(ranks);
  In in(ranks);
  if (rank() == 0)
    for (std::size_t r = 1; r < ranks; ++r) out[r] = std::as_bytes(std::span(text));
  else
    in[0] = std::as_writable_bytes(std::span(result));
  exchange(out, in);
  return rank() == 0 ? text : result;
}

std::vector<std::string> Ranks::from_all(const std::string& text) {
  const double length = static_cast<double>(text.size());
  const std::vector<double> lengths = gather({&length, 1});
  std::vector<std::string> all;
  for (const double n : lengths) all.emplace_back(static_cast<std::size_t>(n), '\0');
  Out out(all.size());
  In in(all.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (r == static_cast<std::size_t>(rank())) continue;
    out[r] = std::as_bytes(std::span(text));
    in[r] = std::as_writable_bytes(std::span(all[r]));
  }
  exchange(out, in);
  all[static_cast<std::size_t>(rank())] = text;
  return all;
}

}  // namespace backlit
