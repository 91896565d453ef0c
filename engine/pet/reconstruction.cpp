#include <backlit/pet/reconstruction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/core/index_range.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/device/ranks.hpp>
#include "projectors/stacked_images.hpp"

namespace backlit {
namespace {

constexpr std::int64_t events_at_once = std::int64_t{1} << 22;

/// Makes the operator of lines. `bounded`: every line has a background, so that no line's weight (1 / expected rate) is
/// far larger than the others'.
using OperatorMaker = std::function<std::unique_ptr<LinearOperator>(const LineList&, bool bounded)>;

/// Parts of a list. The next part is read while the present one is in use. They are consecutive, and read in the list's
/// order; a scanner that moves has every n-th event in a part, so that each is measured from all positions.
class ListBlocks final : public EventBlocks {
 public:
  ListBlocks(Backend& backend, std::shared_ptr<ListModeSource> source, const Scanner& scanner, const EventModel& model,
             OperatorMaker make_lines, std::int64_t events, std::int64_t subsets, bool keep)
      : backend_(backend),
        source_(std::move(source)),
        scanner_(scanner),
        model_(model),
        make_lines_(std::move(make_lines)),
        events_(events),
        subsets_(subsets),
        keep_(keep),
        interleaved_(subsets > 1 && !source_->info().places.empty()) {
    read_ahead(0);
  }

  std::int64_t subsets() const override { return subsets_; }
  std::int64_t events() const override { return events_; }
  bool keep() const override { return keep_; }
  std::int64_t events_in(std::int64_t s) const override {
    return interleaved_ ? (events_ - s + subsets_ - 1) / subsets_ : begin(s + 1) - begin(s);
  }

  double read_seconds() const override { return seconds_.contains("read") ? seconds_.at("read") : 0; }

  EventBlock make(std::int64_t subset) override {
    Part part = take(subset);
    const LineList all = part.lines->list();
    const IndexRange mine = share_of(all.count());
    const std::span<const float> background = some(std::span(part.lines->background()), mine);
    EventBlock block{make_lines_(some(all, mine), part.lines->bounded()), nullptr};
    if (!background.empty()) {
      block.background = block.lines->make_range(block.lines->range().n2);
      std::vector<float> padded;
      std::span<const float> values = background;
      if (block.background->count() != static_cast<std::int64_t>(values.size())) {  // rows may hold several lines
        padded.assign(background.begin(), background.end());
        padded.resize(static_cast<std::size_t>(block.background->count()));
        values = padded;
      }
      backend_.upload(values, *block.background);
      backend_.finish();
    }
    if (next_.valid()) spare_ = std::move(part.events);
    return block;
  }

 private:
  /// Events in memory; `lines` refer to `events`.
  struct Part {
    std::unique_ptr<EventList> events = std::make_unique<EventList>();
    std::unique_ptr<EventLines> lines;
  };

  std::int64_t begin(std::int64_t subset) const { return events_ * subset / subsets_; }

  /// Of so many lines this process's own: all, unless ranks share them.
  static IndexRange share_of(std::int64_t lines) {
    const std::shared_ptr<Ranks>& ranks = shared_among();
    if (!ranks) return {0, lines};
    if (lines < ranks->size())
      throw InputError("subsets", fmt::format("{} ranks for {} events of a subset", ranks->size(), lines),
                       "give fewer subsets, or start fewer ranks");
    const std::int64_t first = lines * ranks->rank() / ranks->size();
    return {first, lines * (ranks->rank() + 1) / ranks->size() - first};
  }
  template <class T>
  static std::span<T> some(std::span<T> values, const IndexRange& range) {
    if (values.empty()) return values;
    return values.subspan(static_cast<std::size_t>(range.first), static_cast<std::size_t>(range.count));
  }
  static LineList some(const LineList& lines, const IndexRange& range) {
    return {lines.points, some(lines.first, range), some(lines.second, range), some(lines.tof_mm, range),
            some(lines.kernel, range)};
  }

  /// The part that is asked for, which has been read already where they are asked for in turn.
  Part take(std::int64_t subset) {
    const Stopwatch watch(seconds_, "read");
    if (subset != ahead_ || !next_.valid()) {
      if (next_.valid()) next_.get();
      read_ahead(subset);
    }
    Part part = next_.get();
    if (subset + 1 < subsets_) read_ahead(subset + 1);  // a finished run reads no more
    return part;
  }
  void read_ahead(std::int64_t subset) {
    ahead_ = subset;
    Part part;
    if (spare_) part.events = std::move(spare_);
    next_ = std::async(std::launch::async,
                       [this, subset, part = std::move(part)]() mutable { return read_part(subset, std::move(part)); });
  }

  Part read_part(std::int64_t subset, Part part) {
    if (interleaved_)
      read_every(subset, *part.events);
    else
      read_consecutive(subset, *part.events);
    part.lines = std::make_unique<EventLines>(*part.events, scanner_, model_);
    return part;
  }

  void read_every(std::int64_t subset, EventList& events) {
    source_->rewind();
    events.clear();
    EventList chunk;
    for (at_ = 0; at_ < events_;) {
      const std::int64_t first = at_;
      at_ += read(events_ - at_, chunk);
      for (std::int64_t i = first + (subset + subsets_ - first % subsets_) % subsets_; i < at_; i += subsets_)
        events.append(chunk, i - first, 1);
    }
  }

  void read_consecutive(std::int64_t subset, EventList& events) {
    bool first = true;
    if (at_ > begin(subset)) {
      source_->rewind();
      at_ = 0;
    }
    EventList chunk;
    while (at_ < begin(subset)) at_ += read(begin(subset) - at_, chunk);
    while (at_ < begin(subset + 1)) {
      if (first) {
        at_ += read(begin(subset + 1) - at_, events);
      } else {
        at_ += read(begin(subset + 1) - at_, chunk);
        events.append(chunk, 0, chunk.size());
      }
      first = false;
    }
  }

  std::int64_t read(std::int64_t most, EventList& chunk) {
    if (!source_->read(std::min(most, events_at_once), chunk))
      throw InputError("list mode", "has fewer events than when it was counted", "did the file change meanwhile?");
    return chunk.size();
  }

  Backend& backend_;
  std::shared_ptr<ListModeSource> source_;
  const Scanner& scanner_;
  EventModel model_;
  OperatorMaker make_lines_;
  std::int64_t events_, subsets_;
  std::int64_t at_ = std::numeric_limits<std::int64_t>::max();  ///< position in the list, in events; unknown at first
  std::int64_t ahead_ = 0;
  bool keep_, interleaved_;
  StageSeconds seconds_;
  std::unique_ptr<EventList> spare_;  ///< memory to reuse for a later part
  std::future<Part> next_;            ///< last member: destroyed first, because the reader uses the others
};

TubeKernel kernel_of(const PetOptions& o, const VolumeGrid& grid) {
  const double spacing = std::max({grid.spacing.x, grid.spacing.y, grid.spacing.z});
  if (o.image == "blobs") return bessel_tube(o.blob_radius > 0 ? o.blob_radius : 1.25 * spacing);
  const double radius = o.tube_radius > 0 ? o.tube_radius : 1.5 * spacing;
  if (o.tube == "box") return box_tube(radius);
  if (o.tube == "bessel") return bessel_tube(radius);
  if (o.tube != "gaussian") return measured_tube(o.tube_profile, o.tube);
  const double width = o.tube_width > 0 ? o.tube_width : 2 * spacing;
  return gaussian_tube(width, o.tube_radius > 0 ? o.tube_radius : width);
}

/// The distance between a line, or its ends, and the scanner's axis. Distant lines meet the crystals obliquely. Distant
/// ends are photons deep in crystals, whose positions are less certain.
double off_axis(const glm::dvec2& p, const glm::dvec2& q, bool ends) {
  if (ends) return (glm::length(p) + glm::length(q)) / 2;
  const double length = glm::length(q - p), area = std::abs(p.x * q.y - p.y * q.x);
  return length > 0 ? area / length : glm::length(p);
}

void require_enough(const PetOptions& options, std::int64_t events) {
  if (events == 0) throw InputError("list mode", "there are no events", "is it the right file?");
  if (options.subsets > events)
    throw InputError("subsets", fmt::format("{} subsets of {} events", options.subsets, events), "give fewer");
}

std::int64_t count_events(ListModeSource& source, const Watch& watch) {
  if (source.info().events) return *source.info().events;
  source.rewind();
  EventList chunk;
  watch.begin("count", 0, "events");
  while (source.read(events_at_once, chunk)) watch.advance(chunk.size());
  watch.end();
  return source.counts().prompts;
}

}  // namespace

void require_list_mode(Backend& backend, const VolumeGrid& grid, Pipeline pipeline) {
  // It shows with the first operator: a line through the middle.
  const std::vector<glm::vec3> ends{{-1, 0, 0}, {1, 0, 0}};
  const std::vector<std::uint32_t> from{0}, to{1};
  backend.make_listmode(grid, {ends, from, to, {}, {}}, {.line = LineOptions::Line::joseph, .pipeline = pipeline});
}

PetProblem::PetProblem(Backend& backend, std::shared_ptr<ListModeSource> source, const Scanner& scanner,
                       const VolumeGrid& grid, const PetOptions& options, std::shared_ptr<const Volume> attenuation)
    : backend_(backend),
      source_(std::move(source)),
      scanner_(scanner),
      grid_(grid),
      options_(options),
      attenuation_(std::move(attenuation)) {
  check(options_);
  grid_.check("grid");
  const ListModeInfo& info = source_->info();
  if (info.events) require_enough(options_, *info.events);  // before the work, if the list's header has the number
  const double resolution = options_.tof_resolution > 0 ? options_.tof_resolution : info.tof_fwhm_ps;
  if (options_.tof == "on" && !(resolution > 0))
    throw InputError("tof", "the list says nothing of a time resolution", "give `tof_resolution` in ps");
  model_.tof = options_.tof == "on" || (options_.tof == "auto" && info.has_tof());
  model_.scatter = !options_.no_scatter;
  model_.randoms = !options_.no_randoms;
  model_.tof_range_ps = info.tof_range_ps;
  line_.line = options_.line == "joseph" ? LineOptions::Line::joseph : LineOptions::Line::tube;
  if (!options_.tube_widths.empty()) {
    for (const auto& [from, width] : tube_widths_of(options_.tube_widths)) {
      kernel_from_.push_back(from);
      line_.kernels.push_back(gaussian_tube(width, options_.tube_radius > 0 ? options_.tube_radius : width));
    }
  } else if (line_.line == LineOptions::Line::tube) {
    line_.kernels = {kernel_of(options_, grid_)};
  }
  if (model_.tof)
    line_.tof = {.sigma_mm = tof_sigma_mm(resolution),
                 .cut_sigmas = options_.tof_cut,
                 .bin_mm = info.tof_bin_ps * half_c_mm_per_ps,
                 .integrated = options_.tof_bin == "integrated"};
  model_.tof_bin_mm = line_.tof.bin_mm;
  if (options_.psf > 0) psf_ = std::make_shared<GaussianBlur>(backend_, grid_, options_.psf);
}

std::vector<VolumeGrid> PetProblem::grids() const {
  if (options_.image == "voxels") return {grid_};
  VolumeGrid low = grid_, high = grid_;  // the lattice's two halves, shifted by half a spacing, about the same middle
  low.center -= 0.25 * grid_.spacing;
  high.center += 0.25 * grid_.spacing;
  return {low, high};
}

std::vector<std::uint8_t> PetProblem::kernels_of(const LineList& lines) const {
  std::vector<std::uint8_t> kernels(kernel_from_.size() > 1 ? static_cast<std::size_t>(lines.count()) : 0);
  parallel_chunks(static_cast<std::int64_t>(kernels.size()), [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const glm::dvec2 p(lines.points[lines.first[i]]), q(lines.points[lines.second[i]]);
      const auto above = std::ranges::upper_bound(kernel_from_, off_axis(p, q, options_.tube_widths_by == "ends"));
      kernels[i] = static_cast<std::uint8_t>(above - kernel_from_.begin() - 1);
    }
  });
  return kernels;
}

std::unique_ptr<LinearOperator> PetProblem::make_lines(const LineList& all, bool bounded) const {
  LineOptions options = line_;
  LineList lines = all;
  const std::vector<std::uint8_t> kernels = kernels_of(lines);
  lines.kernel = kernels;
  const bool fixed = options_.sums == "fixed" || (options_.sums == "auto" && bounded);
  options.pipeline = options_.pipeline;
  options.sums = fixed ? LineOptions::Sums::fixed : LineOptions::Sums::floating;
  if (lines.tof_mm.empty()) options.tof = {};
  std::vector<std::unique_ptr<LinearOperator>> parts;
  for (const VolumeGrid& grid : grids()) parts.push_back(backend_.make_listmode(grid, lines, options));
  std::unique_ptr<LinearOperator> a;
  a = parts.size() == 1 ? std::move(parts.front()) : std::make_unique<StackedImages>(backend_, std::move(parts));
  if (psf_) a = std::make_unique<BlurredOperator>(backend_, std::move(a), psf_);
  return a;
}

const Sensitivity& PetProblem::sensitivity(const Watch& watch) {
  if (sensitivity_) return *sensitivity_;
  const auto lines = [this](const LineList& l) { return make_lines(l, true); };
  const std::vector<ScannerPlace>& places = source_->info().places;
  if (normalisation_ && !places.empty())
    throw InputError("normalisation", "holds pairs of a scanner that stands still, and this one moves",
                     "leave it out: lists with movements hold efficiencies");
  const SensitivityOptions options{options_.sensitivity_pairs, static_cast<std::uint64_t>(options_.sensitivity_seed),
                                   places};
  sensitivity_ = normalisation_
                     ? make_sensitivity(backend_, scanner_, attenuation_.get(), lines, *normalisation_, watch)
                     : make_sensitivity(backend_, scanner_, attenuation_.get(), lines, options, watch);
  return *sensitivity_;
}

Volume PetProblem::sensitivity_image() {
  Volume volume(grid_);
  const auto& values = sensitivity().values;
  for (std::int64_t i = 0; i < grid_.voxels(); ++i) volume.values[i] = values[static_cast<std::size_t>(i)];
  return volume;
}

/// Sums blobs at the voxels' centres. The integral of a blob with coefficient 1 equals that of a voxel with value 1.
Volume PetProblem::show(std::span<const float> values) const {
  Volume volume(grid_);
  if (options_.image == "voxels") {
    std::ranges::copy(values, volume.values.begin());
    return volume;
  }
  const double radius = line_.kernels.front().radius_mm;
  const auto& s = grid_.spacing;
  const double cell = s.x * s.y * s.z;
  const std::int64_t voxels = grid_.voxels();
  const auto n = grid_.size;
  for (int half = 0; half < 2; ++half) {
    const Vec3 shift = (half == 0 ? -0.25 : 0.25) * s;  // shift of the blobs from the voxels
    struct Share {
      std::int64_t i, j, k;
      double value;
    };
    std::vector<Share> shares;  // values of the blob (i, j, k) steps away
    const auto reach = [&](int axis) { return static_cast<std::int64_t>(std::ceil(radius / s[axis])) + 1; };
    for (std::int64_t k = -reach(2); k <= reach(2); ++k)
      for (std::int64_t j = -reach(1); j <= reach(1); ++j)
        for (std::int64_t i = -reach(0); i <= reach(0); ++i) {
          const Vec3 away = Vec3(double(i), double(j), double(k)) * s + shift;
          if (const double value = cell * blob_value(glm::length(away), radius); value > 0)
            shares.push_back({i, j, k, value});
        }
    const float* blobs = values.data() + half * voxels;
    parallel_for(n[2], [&](std::int64_t z) {
      for (std::int64_t y = 0; y < n[1]; ++y)
        for (std::int64_t x = 0; x < n[0]; ++x) {
          double sum = 0;
          for (const Share& b : shares) {
            const std::int64_t i = x + b.i, j = y + b.j, k = z + b.k;
            if (i < 0 || j < 0 || k < 0 || i >= n[0] || j >= n[1] || k >= n[2]) continue;
            sum += b.value * blobs[volume.index(i, j, k)];
          }
          volume.at(x, y, z) += static_cast<float>(sum);
        }
    });
  }
  return volume;
}

RunFacts PetProblem::facts() const {
  const PetOptions& o = options_;
  const VolumeGrid& g = grid_;
  return {{"method", "list-mode em"},
          {"backend", backend_.name()},
          {"scanner", fmt::format("{}, {} crystals", scanner_.name, scanner_.crystals())},
          {"events", fmt::format("{}", events_)},
          {"volume", fmt::format("{} x {} x {} of {} x {} x {} mm about {}, {}, {}", g.size[0], g.size[1], g.size[2],
                                 g.spacing.x, g.spacing.y, g.spacing.z, g.center.x, g.center.y, g.center.z)},
          {"image", o.image},
          {"tubes", o.tube_widths.empty() ? "one width" : o.tube_widths + " by " + o.tube_widths_by},
          {"subsets", fmt::format("{}", o.subsets)},
          {"corrections", fmt::format("scatter {} randoms {} attenuation {}", model_.scatter, model_.randoms,
                                      attenuation_ != nullptr)},
          {"sensitivity", normalisation_ ? fmt::format("{} pairs of a file", sensitivity_->pairs)
                                         : fmt::format("{} pairs, seed {}", o.sensitivity_pairs, o.sensitivity_seed)}};
}

std::unique_ptr<ListModeEm> PetProblem::reconstruction(const Watch& watch) {
  events_ = count_events(*source_, watch);
  require_enough(options_, events_);
  const double duration = source_->info().duration_s > 0 ? source_->info().duration_s : 1;
  std::vector<float> expected = sensitivity(watch).values;
  for (float& s : expected) s = static_cast<float>(s * duration);
  auto blocks = std::make_unique<ListBlocks>(
      backend_, source_, scanner_, model_,
      [this](const LineList& lines, bool bounded) { return make_lines(lines, bounded); }, events_, options_.subsets,
      events_ <= options_.keep_events);
  const ListModeEmOptions em{options_.iterations,       options_.likelihood, options_.checkpoint,
                             options_.checkpoint_every, options_.resume,     options_.resume_elsewhere};
  const double calibration = source_->info().calibration;
  std::shared_ptr<GaussianBlur> filter;
  if (options_.post_filter > 0) filter = std::make_shared<GaussianBlur>(backend_, grid_, options_.post_filter);
  ListModeEm::Show show_as;
  if (options_.image != "voxels" || calibration != 1 || filter)
    show_as = [this, calibration, filter](std::span<const float> values) {
      Volume volume = show(values);
      if (calibration != 1)
        for (float& v : volume.values) v = static_cast<float>(v * calibration);
      if (filter) (*filter)(volume.values.span());
      return volume;
    };
  return std::make_unique<ListModeEm>(backend_, std::move(blocks), expected, grid_, std::move(show_as), em, facts());
}

}  // namespace backlit
