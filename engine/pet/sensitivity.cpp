#include <backlit/pet/sensitivity.hpp>

#include <algorithm>

#include <backlit/core/parallel.hpp>
#include <backlit/pet/event_lines.hpp>
#include "pet/pairs.hpp"

namespace backlit {
namespace {

/// Reproducible backends get smaller chunks: they cost nothing there, and a stop takes effect sooner.
std::int64_t pairs_at_once(const Backend& backend) {
  return std::int64_t{1} << (backend.capabilities().reproducible ? 17 : 20);
}

/// Pairs in chunks: all pairs in the order of their first crystal, or random pairs `first` to `first` + `count`.
class PairChunks {
 public:
  PairChunks(const Scanner& scanner, const SensitivityOptions& options, std::int64_t at_once)
      : at_once_(at_once), crystals_(scanner.crystals()), pairs_(scanner), all_(pairs_.count()), seed_(options.seed) {
    sampled_ = options.pairs > 0 && options.pairs < all_;
  }

  std::int64_t all() const { return all_; }
  bool sampled() const { return sampled_; }

  /// Begins again with the next `count` pairs of the sample, or with all.
  void begin(std::int64_t count) {
    left_ = count;
    crystal_ = 0;
  }

  /// False when there are no more.
  bool next(std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& second) {
    first.clear();
    second.clear();
    if (sampled_) {
      const auto n = static_cast<std::size_t>(std::min(at_once_, left_));
      first.resize(n);
      second.resize(n);
      if (n > 0) pairs_.random(seed_, done_, first, second);
      done_ += static_cast<std::int64_t>(n);
      left_ -= static_cast<std::int64_t>(n);
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
  std::int64_t all_, left_ = 0, done_ = 0;
  std::uint64_t seed_;
  bool sampled_ = false;
};

/// Sums the backprojections of pairs, each with its weight and its attenuation factor.
class SensitivitySum {
 public:
  SensitivitySum(Backend& backend, const Volume* attenuation, const LinesMaker& make_lines)
      : backend_(backend), attenuation_(attenuation), make_lines_(make_lines) {}

  /// `weights` may get padding at its end.
  void add(const LineList& lines, std::vector<float>& weights, bool attenuated) {
    const auto a = make_lines_(lines);
    const ArrayPtr passed = a->make_range(a->range().n2), through = a->make_range(a->range().n2);
    weights.resize(static_cast<std::size_t>(passed->count()));  // rows may hold several lines
    backend_.upload(weights, *passed);
    if (attenuation_ && attenuated) {
      const auto thin = backend_.make_listmode(attenuation_->grid, lines, {.line = LineOptions::Line::joseph});
      if (!attenuation_on_device_) {
        attenuation_on_device_ = thin->make_domain();
        backend_.upload(attenuation_->values.span(), *attenuation_on_device_);
      }
      thin->forward(*attenuation_on_device_, *through, thin->all(), Write::overwrite);
      backend_.scale(*through, -1);
      backend_.exponential(*through);
      backend_.multiply(*through, *passed);
    }
    if (!image_) image_ = a->make_domain();
    a->back(*passed, *image_, a->all(), Write::accumulate);
    backend_.finish();
    pairs_ += lines.count();
  }

  /// The sum scaled from the pairs added, which count alike, to `all` pairs.
  Sensitivity result(std::int64_t all) {
    Sensitivity sensitivity{{}, pairs_, all};
    if (!image_) return sensitivity;
    if (pairs_ != all)
      backend_.scale(*image_, static_cast<float>(static_cast<double>(all) / static_cast<double>(pairs_)));
    sensitivity.values.resize(static_cast<std::size_t>(image_->count()));
    backend_.download(*image_, sensitivity.values);
    return sensitivity;
  }

 private:
  Backend& backend_;
  const Volume* attenuation_;
  const LinesMaker& make_lines_;
  ArrayPtr attenuation_on_device_, image_;
  std::int64_t pairs_ = 0;
};

}  // namespace

Sensitivity make_sensitivity(Backend& backend, const Scanner& scanner, const Volume* attenuation,
                             const LinesMaker& make_lines, const SensitivityOptions& options, const Watch& watch) {
  PairChunks chunks(scanner, options, pairs_at_once(backend));
  const ScannerPlace own;
  const std::span<const ScannerPlace> places =
      options.places.empty() ? std::span<const ScannerPlace>(&own, 1) : options.places;
  const auto positions = static_cast<std::int64_t>(places.size());
  // The same number at each position: what few of them see is then known as well as the rest.
  const std::int64_t each = chunks.sampled() ? std::max<std::int64_t>(1, options.pairs / positions) : chunks.all();
  SensitivitySum sum(backend, attenuation, make_lines);
  std::vector<std::uint32_t> first, second;
  std::vector<float> weights;
  watch.begin("sensitivity", positions * each, "pairs");
  for (const ScannerPlace& place : places) {
    const std::vector<Vec3f> points = place.positions(scanner);
    const double share = place.share * static_cast<double>(positions);
    chunks.begin(each);
    while (chunks.next(first, second)) {
      weights.resize(first.size());
      parallel_chunks(static_cast<std::int64_t>(first.size()), [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
          weights[i] = static_cast<float>(share * scanner.pair_efficiency(first[i], second[i]));
      });
      sum.add({points, first, second, {}, {}}, weights, true);
      watch.advance(static_cast<std::int64_t>(first.size()));
    }
  }
  watch.end();
  return sum.result(chunks.all());
}

Sensitivity make_sensitivity(Backend& backend, const Scanner& scanner, const Volume* attenuation,
                             const LinesMaker& make_lines, ListModeSource& pairs, const Watch& watch) {
  SensitivitySum sum(backend, attenuation, make_lines);
  EventList chunk;
  std::vector<float> weights;
  std::int64_t all = 0;
  pairs.rewind();
  watch.begin("sensitivity", pairs.info().events.value_or(0), "pairs");
  while (pairs.read(pairs_at_once(backend), chunk)) {
    const EventLines lines(chunk, scanner, {.tof = false, .scatter = false, .randoms = false});
    weights.assign(static_cast<std::size_t>(chunk.size()), 1);
    for (const auto* factors : {&chunk.acf, &chunk.norm})
      for (std::size_t i = 0; i < factors->size(); ++i) weights[i] /= (*factors)[i];
    sum.add(lines.list(), weights, chunk.acf.empty());
    all += chunk.size();
    watch.advance(chunk.size());
  }
  watch.end();
  return sum.result(all);
}

}  // namespace backlit
