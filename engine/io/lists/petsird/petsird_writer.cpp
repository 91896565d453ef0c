#include "io/lists/petsird/petsird_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/io/output_file.hpp>
#include "io/lists/petsird/petsird_schema.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t block_ms = 100;
constexpr std::int64_t most_modules = 4096;

/// Values as yardl writes them.
class YardlBytes {
 public:
  void number(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>((value & 127) | 128);
    bytes_ += static_cast<char>(value);
  }
  void integer(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void real(double value) {
    const auto single = static_cast<float>(value);
    bytes_.append(reinterpret_cast<const char*>(&single), sizeof single);
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  void reals(const std::vector<double>& values) {
    number(values.size());
    for (const double value : values) real(value);
  }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

/// Which crystals make a module, and the bins that crystals become.
struct Modules {
  std::vector<std::vector<std::uint32_t>> crystals;  ///< by module and element
  std::vector<std::uint32_t> bin;                    ///< of each crystal
};

Modules modules_of(const Scanner& scanner, const std::string& where) {
  Modules m;
  const std::int64_t n = scanner.crystals();
  if (scanner.layout) {
    const RingLayout& l = *scanner.layout;
    m.crystals.resize(static_cast<std::size_t>(l.modules * l.axial_modules));
    for (std::int64_t c = 0; c < n; ++c) {
      const std::int64_t index = c % l.per_ring(), ring = c / l.per_ring() % l.rings();
      m.crystals[static_cast<std::size_t>(ring / l.module_rings * l.modules + index / l.module_crystals)].push_back(
          static_cast<std::uint32_t>(c));
    }
  } else {
    for (std::int64_t c = 0; c < n; ++c) m.crystals.push_back({static_cast<std::uint32_t>(c)});
  }
  if (static_cast<std::int64_t>(m.crystals.size()) > most_modules)
    throw InputError(where,
                     fmt::format("{} has {} modules, more than {}", scanner.name, m.crystals.size(), most_modules),
                     "give a scanner with modules (*.scanner.toml), or save as .cdh");
  m.bin.resize(static_cast<std::size_t>(n));
  std::uint32_t bin = 0;
  for (const auto& module : m.crystals)
    for (const std::uint32_t c : module) m.bin[c] = bin++;
  return m;
}

/// Around, along z and outwards at a point of the scanner.
struct Frame {
  Vec3 around{0}, along{0}, outward{0}, place{0};
};

Frame frame_of(const Vec3& place, const Vec3& outward) {
  const Vec3 out = glm::normalize(Vec3(outward.x, outward.y, 0));
  return {Vec3(-out.y, out.x, 0), Vec3(0, 0, 1), out, place};
}

/// Three rows of four: from coordinates (around, along, outward) to mm.
void put_transform(YardlBytes& out, const Frame& f) {
  for (int row = 0; row < 3; ++row)
    for (const double value : {f.around[row], f.along[row], f.outward[row], f.place[row]}) out.real(value);
}

/// `inner` as seen from `outer`.
Frame relative(const Frame& outer, const Frame& inner) {
  const auto seen = [&](const Vec3& v) {
    return Vec3(glm::dot(v, outer.around), glm::dot(v, outer.along), glm::dot(v, outer.outward));
  };
  return {seen(inner.around), seen(inner.along), seen(inner.outward), seen(inner.place - outer.place)};
}

class PetsirdWriter final : public ListModeWriter {
 public:
  PetsirdWriter(const fs::path& path, const Scanner& scanner, const ListModeInfo& info)
      : where_(path.string()), scanner_(scanner), info_(info), modules_(modules_of(scanner, where_)), file_(path) {
    set_bins();
    if (info_.duration_s > 0) covered_ms_ = milliseconds(info_.start_s);
    put_header();
  }

  void write(const EventList& events) override {
    if (events.empty()) return;
    if (!events.acf.empty() || !norm_is_geometry(events) || !events.random_rate.empty() ||
        !events.scatter_rate.empty() || !events.end1.empty() || events.crystal1.empty())
      throw InputError(where_, "PETSIRD's events are pairs of crystals, without corrections of their own",
                       "leave corrections and end points out, or save as .cdh");
    events.check(scanner_, where_);
    for (std::size_t i = 0; i < static_cast<std::size_t>(events.size()); ++i) {
      const std::uint32_t time = events.time_ms.empty() ? 0 : events.time_ms[i];
      if (time / block_ms != block_ || in_block() >= most_in_block) end_block();
      block_ = time / block_ms;
      if (in_block() == 0 && covered_ms_) cover(std::uint64_t{block_} * block_ms);
      put_event(events, i);
    }
  }

  void commit() override {
    end_block();
    if (info_.duration_s > 0) cover(milliseconds(info_.start_s + info_.duration_s));
    file_.write(std::string_view("\0", 1));  // no more blocks
    file_.close();
    file_.commit();
  }

  std::int64_t events() const override { return events_; }

 private:
  static constexpr std::int64_t most_in_block = 1 << 20;

  static std::uint64_t milliseconds(double seconds) {
    return static_cast<std::uint64_t>(std::llround(1e3 * std::max(0.0, seconds)));
  }

  std::int64_t in_block() const { return prompts_count_ + delayeds_count_; }

  /// Whether what normalises events follows from where crystals are, which the header says.
  bool norm_is_geometry(const EventList& events) const {
    for (std::size_t i = 0; i < events.norm.size(); ++i) {
      const double efficiency = scanner_.pair_efficiency(events.crystal1[i], events.crystal2[i]);
      if (!(std::abs(static_cast<double>(events.norm[i]) * efficiency - 1) < 1e-3)) return false;
    }
    return true;
  }

  /// Edges of time of flight are (t1 - t2) c / 2, mm.
  void set_bins() {
    if (!info_.has_tof()) return;
    const double bin_ps = info_.tof_bin_ps > 0 ? info_.tof_bin_ps : info_.tof_fwhm_ps / 8;
    const double range_ps = info_.tof_range_ps > 0 ? info_.tof_range_ps : 4 * info_.tof_fwhm_ps;
    tof_bins_ = std::clamp<std::int64_t>(std::llround(range_ps / bin_ps), 1, 1 << 16);
    first_ps_ = -0.5 * range_ps;
    bin_ps_ = range_ps / static_cast<double>(tof_bins_);
  }

  void put_event(const EventList& events, std::size_t i) {
    std::uint32_t bin1 = modules_.bin[events.crystal1[i]], bin2 = modules_.bin[events.crystal2[i]];
    double dt = events.dt_ps.empty() ? 0 : static_cast<double>(events.dt_ps[i]);
    if (bin1 < bin2) {  // the larger one comes first
      std::swap(bin1, bin2);
      dt = -dt;
    }
    const bool delayed = !events.kind.empty() && events.kind[i] == EventKind::delayed;
    YardlBytes& out = delayed ? delayeds_ : prompts_;
    out.number(bin1);
    out.number(bin2);
    out.number(static_cast<std::uint64_t>(
        std::clamp<std::int64_t>(std::llround(std::floor((dt - first_ps_) / bin_ps_)), 0, tof_bins_ - 1)));
    ++(delayed ? delayeds_count_ : prompts_count_);
    ++events_;
  }

  void end_block() {
    if (in_block() == 0) return;
    put_block(std::uint64_t{block_} * block_ms, (std::uint64_t{block_} + 1) * block_ms);
    covered_ms_ = (std::uint64_t{block_} + 1) * block_ms;
  }

  /// Time without events was measured, too. No events may be waiting.
  void cover(std::uint64_t until_ms) {
    if (*covered_ms_ < until_ms) put_block(*covered_ms_, until_ms);
    covered_ms_ = std::max(*covered_ms_, until_ms);
  }

  void put_block(std::uint64_t start_ms, std::uint64_t stop_ms) {
    YardlBytes out;
    out.number(1);  // a block
    out.number(0);  // EventTimeBlock
    out.number(start_ms);
    out.number(stop_ms);
    out.number(1);  // lists of single events, a type of module each
    out.number(0);
    for (auto [events, count] : {std::pair(&prompts_, &prompts_count_), {&delayeds_, &delayeds_count_}}) {
      out.number(1);  // one row of one pair of types
      out.number(1);
      out.number(static_cast<std::uint64_t>(*count));
      out.raw(events->bytes());
      events->clear();
      *count = 0;
    }
    out.number(0);  // triples
    out.number(0);  // quadruples
    file_.write(std::string_view(out.bytes()));
  }

  void put_header() {
    YardlBytes out;
    out.raw(std::string_view("yardl\1\0\0\0", 9));
    out.text(petsird_schema);
    out.text(scanner_.name);
    put_geometry(out);
    out.number(0);  // materials
    out.number(0);  // gantry alignment
    out.text("");   // collimator
    out.number(1), out.number(1);
    std::vector<double> edges;
    for (std::int64_t k = 0; k <= tof_bins_; ++k)
      edges.push_back((first_ps_ + bin_ps_ * static_cast<double>(k)) * half_c_mm_per_ps);
    out.reals(edges);
    out.number(1), out.number(1), out.real(info_.tof_fwhm_ps * half_c_mm_per_ps);
    out.number(1), out.reals({425, 650});  // keV, one bin
    out.number(1), out.real(0.12);
    out.integer(0);                  // no histograms of singles
    out.number(0), out.number(0);    // their units and energies
    out.integer(0);                  // no single events
    out.integer(1), out.integer(1);  // prompts and delayeds without multiples
    out.integer(0), out.integer(0);  // no triples, no quadruples
    out.text("of crystals");
    out.real(info_.calibration);
    put_efficiencies(out);
    out.number(0);  // exam
    file_.write(std::string_view(out.bytes()));
  }

  Frame crystal(std::uint32_t c) const { return frame_of(Vec3(scanner_.position[c]), Vec3(scanner_.outward[c])); }
  Frame middle(const std::vector<std::uint32_t>& module) const {
    Vec3 place(0), outward(0);
    for (const std::uint32_t c : module) {
      place += Vec3(scanner_.position[c]) / static_cast<double>(module.size());
      outward += Vec3(scanner_.outward[c]);
    }
    return frame_of(place, outward);
  }

  /// One type of module. A crystal's box lies about the point of mean interaction.
  void put_geometry(YardlBytes& out) const {
    const auto& elements = modules_.crystals.front();
    const Vec3 half = scanner_.crystal_mm.x > 0 ? 0.5 * scanner_.crystal_mm : Vec3(0.5);
    out.number(1);
    for (const auto& [around, along] : {std::pair{-1, -1}, {-1, 1}, {1, 1}, {1, -1}})
      for (const int outward : {-1, 1})
        for (const double value : {around * half.x, along * half.y, outward * half.z}) out.real(value);
    out.number(0);  // material
    const Frame first = middle(elements);
    out.number(elements.size());
    for (const std::uint32_t c : elements) put_transform(out, relative(first, crystal(c)));
    out.number(0);  // elements that detect nothing
    out.number(modules_.crystals.size());
    for (const auto& module : modules_.crystals) {
      const Frame frame = middle(module);
      for (std::size_t e = 0; e < elements.size(); ++e)
        if (module.size() != elements.size() || glm::distance(relative(frame, crystal(module[e])).place,
                                                              relative(first, crystal(elements[e])).place) > 0.01)
          throw InputError(where_, fmt::format("modules of {} are not alike", scanner_.name), "save as .cdh");
      put_transform(out, frame);
    }
    out.number(0);  // volumes that detect nothing
  }

  /// At the corners of a module: where angles and distances of pairs are the largest and the smallest.
  std::vector<std::uint32_t> corners(const std::vector<std::uint32_t>& module) const {
    const std::size_t n = module.size();
    const auto row = scanner_.layout ? static_cast<std::size_t>(scanner_.layout->module_crystals) : n;
    return {module[0], module[row - 1], module[n - row], module[n - 1]};
  }

  /// 1 for all pairs of modules of which some crystals are in coincidence, times those of the crystals.
  void put_efficiencies(YardlBytes& out) const {
    std::vector<double> of_bins(modules_.bin.size(), 1);
    for (std::size_t c = 0; c < scanner_.efficiency.size(); ++c)
      of_bins[modules_.bin[c]] = static_cast<double>(scanner_.efficiency[c]);
    out.number(1);
    out.reals(of_bins);
    out.number(1), out.number(1), out.number(modules_.crystals.size());
    std::vector<std::vector<std::uint32_t>> ends;
    for (const auto& module : modules_.crystals) ends.push_back(corners(module));
    for (std::size_t i = 0; i < ends.size(); ++i) {
      out.number(i + 1);
      for (std::size_t j = 0; j <= i; ++j) {
        const bool counts = std::ranges::any_of(ends[i], [&](std::uint32_t a) {
          return std::ranges::any_of(ends[j], [&](std::uint32_t b) { return scanner_.in_coincidence(a, b); });
        });
        out.integer(counts ? 0 : -1);
      }
    }
    const std::vector<double> ones(modules_.crystals.front().size(), 1);
    out.number(1), out.number(1), out.number(1);
    out.number(ones.size());
    for (std::size_t row = 0; row < ones.size(); ++row) out.reals(ones);
    out.integer(0);  // of group 0
  }

  std::string where_;
  Scanner scanner_;
  ListModeInfo info_;
  Modules modules_;
  OutputFile file_;
  std::int64_t tof_bins_ = 1, events_ = 0, prompts_count_ = 0, delayeds_count_ = 0;
  double first_ps_ = -1e5, bin_ps_ = 2e5;  ///< one bin that holds every time
  std::uint32_t block_ = 0;
  std::optional<std::uint64_t> covered_ms_{};  ///< the end of the last block
  YardlBytes prompts_, delayeds_;
};

}  // namespace

std::unique_ptr<ListModeWriter> create_petsird(const fs::path& path, const Scanner& scanner, const ListModeInfo& info) {
  return std::make_unique<PetsirdWriter>(path, scanner, info);
}

}  // namespace backlit::formats
