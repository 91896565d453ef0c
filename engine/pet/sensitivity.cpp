#include "pet/sensitivity.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "pet/pairs.hpp"

namespace backlit {
namespace {

/// Where parts cost no more than the whole, small ones can be stopped sooner.
std::int64_t pairs_at_once(const Backend& backend) {
  return std::int64_t{1} << (backend.capabilities().reproducible ? 17 : 20);
}

/// Pairs chunk by chunk: all of them in the order of their first crystal, or a sample.
class PairChunks {
 public:
  PairChunks(const Scanner& scanner, const SensitivityOptions& options, std::int64_t at_once)
      : at_once_(at_once), crystals_(scanner.crystals()), pairs_(scanner), all_(pairs_.count()), seed_(options.seed) {
    sampled_ = options.pairs > 0 && options.pairs < all_;
    count_ = sampled_ ? options.pairs : all_;
  }

  std::int64_t all() const { return all_; }
  std::int64_t count() const { return count_; }

  /// False when there are no more.
  bool next(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& second) {
    first.clear();
    second.clear();
    if (sampled_) {
      const auto n = static_cast<std::size_t>(std::min(at_once_, count_ - done_));
      first.resize(n);
      second.resize(n);
      if (n > 0) pairs_.random(seed_, done_, first, second);
      done_ += static_cast<std::int64_t>(n);
      return n > 0;
    }
    while (crystal_ < crystals_ && static_cast<std::int64_t>(first.size()) < at_once_) {
      const auto partners = pairs_.partners(crystal_);
      first.insert(first.end(), partners.size(), static_cast<std::uint32_t>(crystal_));
      second.insert(second.end(), partners.begin(), partners.end());
      ++crystal_;
    }
    return !first.empty();
  }

 private:
  std::int64_t at_once_, crystals_, crystal_ = 0;
  CrystalPairs pairs_;
  std::int64_t all_, count_ = 0, done_ = 0;
  std::uint64_t seed_;
  bool sampled_ = false;
};

}  // namespace

Sensitivity make_sensitivity(Backend& backend, const Scanner& scanner, const Volume* attenuation,
                             const LinesMaker& make_lines, const SensitivityOptions& options, const Watch& watch) {
  PairChunks chunks(scanner, options, pairs_at_once(backend));
  Sensitivity result;
  result.all_pairs = chunks.all();
  ArrayPtr matter, image;
  std::vector<std::uint32_t> first, second;
  std::vector<float> weights;
  watch.begin("sensitivity", chunks.count(), "pairs");
  while (chunks.next(first, second)) {
    const LineList lines{scanner.position, first, second, {}, {}};
    weights.resize(first.size());
    parallel_chunks(lines.count(), [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        weights[i] = static_cast<float>(scanner.pair_efficiency(first[i], second[i]));
    });
    const auto a = make_lines(lines);
    const ArrayPtr passed = a->make_range(a->range().n2), through = a->make_range(a->range().n2);
    weights.resize(static_cast<std::size_t>(passed->count()));  // rows may hold several lines
    backend.upload(weights, *passed);
    if (attenuation) {
      const auto thin = backend.make_listmode(attenuation->grid, lines, {.line = LineOptions::Line::joseph});
      if (!matter) {
        matter = thin->make_domain();
        backend.upload(attenuation->values.span(), *matter);
      }
      thin->forward(*matter, *through, thin->all(), Write::overwrite);
      backend.scale(*through, -1);
      backend.exponential(*through);
      backend.multiply(*through, *passed);
    }
    if (!image) image = a->make_domain();
    a->back(*passed, *image, a->all(), Write::accumulate);
    backend.finish();
    result.pairs += lines.count();
    watch.advance(lines.count());
  }
  watch.end();
  if (!image) return result;
  if (result.pairs < result.all_pairs)
    backend.scale(*image,
                  static_cast<float>(static_cast<double>(result.all_pairs) / static_cast<double>(result.pairs)));
  result.values.resize(static_cast<std::size_t>(image->count()));
  backend.download(*image, result.values);
  return result;
}

}  // namespace backlit
