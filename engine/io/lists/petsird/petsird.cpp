// PETSIRD (Emission Tomography Standardization Initiative): scanner and events in one binary stream of yardl. The
// reader follows the schema in the file, so that it depends only on the names of fields. Versions 0.7 to 0.12 have been
// tried.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_format.hpp>
#include "io/lists/petsird/petsird_blocks.hpp"
#include "io/lists/petsird/petsird_header.hpp"
#include "io/lists/petsird/petsird_survey.hpp"
#include "io/lists/petsird/petsird_writer.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// Converts errors for a schema that is JSON but not yardl's.
template <class F>
auto guarded(const std::string& where, F&& f) {
  try {
    return f();
  } catch (const nlohmann::json::exception&) {
    throw InputError(where, "its schema cannot be followed", "the file is damaged");
  }
}

/// Reads a number of at most five bytes without branches, for their lengths cannot be predicted. `p` goes behind it.
/// Eight bytes must be in memory. False when it is longer.
inline bool short_varint(const std::uint8_t*& p, std::uint64_t& number) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  const std::uint64_t ends = ~bytes & 0x8080808080u;  // the top bit of its last byte is clear
  if (ends == 0) [[unlikely]]
    return false;
  p += std::countr_zero(ends) / 8 + 1;
  bytes &= (ends ^ (ends - 1)) & 0x7f7f7f7f7fu;
  bytes = (bytes & 0x007f007f007fu) | (bytes & 0x7f007f007f00u) >> 1;  // pairs of 7 bits to 14
  bytes = (bytes & 0x3fff00003fffu) | (bytes & 0x00003fff0000u) >> 2;
  number = (bytes & 0xfffffffu) | (bytes >> 32 << 28);
  return true;
}

class PetsirdSource final : public ListModeSource {
 public:
  PetsirdSource(std::unique_ptr<YardlReader> reader, std::shared_ptr<const PetsirdHeader> header,
                const ListModeOptions& options)
      : reader_(std::move(reader)),
        header_(std::move(header)),
        options_(options),
        blocks_(*reader_),
        survey_(survey_petsird(blocks_, *header_)) {
    set_info();
  }

  const ListModeInfo& info() const override { return info_; }
  ListModeCounts counts() const override { return counts_; }
  /// What the blocks hold, and what of it is not used.
  void note(HeaderFields& fields) const {
    const auto source = [&](const char* name) { return fields.source(name); };
    if (info_.duration_s > 0)
      fields.note_fact("duration", with_unit(info_.duration_s, "s"), source("EventTimeBlock.timeInterval"));
    if (survey_.places.size() > 1)
      fields.note_fact("movements of bed and gantry", fmt::format("{}", survey_.places.size() - 1),
                       source("BedMovementTimeBlock, GantryMovementTimeBlock"));
    if (lacking_)
      fields.note_fact("time of flight of the list", "not used",
                       fmt::format("events of types {} and {} have none", (*lacking_)[0], (*lacking_)[1]));
    for (const auto& [name, blocks] : survey_.unused) fields.add(name, fmt::format("in blocks: {}", blocks));
    for (const auto& [name, type] : blocks_.event())
      if (name != "detectionBins" && name != "tofIdx")
        fields.add(fmt::format("{}.{}", PetsirdBlocks::prompts, name), "of each event");
  }
  void rewind() override {
    blocks_.rewind();
    counts_ = {};
    state_ = State();
    place_ = 0;
  }
  bool read(std::int64_t most, EventList& out) override {
    out.clear();
    guarded(reader_->cursor().where(), [&] {
      while (out.size() < most && advance()) take(std::min<std::int64_t>(most - out.size(), state_.events), out);
    });
    return !out.empty();
  }

 private:
  /// The position of the next event in the stream: within list (i, j) of a field of a block.
  struct State {
    bool in_block = false;
    std::size_t field = 0;
    bool in_field = false, delayed = false;
    std::size_t i = 0, rows = 0, j = 0, columns = 0;
    std::int64_t events = 0;  ///< events left in this list
  };

  void set_info() {
    info_ = header_->exam();
    info_.format = "petsird";
    info_.scanner_name = header_->scanner().name;
    info_.duration_s = survey_.duration_s;
    if (blocks_.plain() && !options_.delayeds) info_.events = survey_.prompts;
    info_.places = survey_.distinct();
    // The engine uses one resolution: the coarsest. If a pair of types with events has none, no event has time of
    // flight.
    const bool any = std::ranges::find(survey_.has_events, true) != survey_.has_events.end();
    bool all = true, some = false;
    for (std::size_t i = 0; i < header_->types().size(); ++i)
      for (std::size_t j = 0; j < header_->types().size(); ++j) {
        const TypePair& p = header_->pair(i, j);
        if (!p.given || (any && !survey_.has_events[i * header_->types().size() + j])) continue;
        if (!p.has_tof()) lacking_ = {i, j};
        all = all && p.has_tof();
        some = some || p.has_tof();
        info_.tof_fwhm_ps = std::max(info_.tof_fwhm_ps, p.fwhm_ps);
        info_.tof_range_ps = std::max(info_.tof_range_ps, p.range_ps);
        info_.tof_bin_ps = std::max(info_.tof_bin_ps, p.bin_ps);
      }
    if (!some) lacking_.reset();
    if (!all) info_.tof_fwhm_ps = info_.tof_range_ps = info_.tof_bin_ps = 0;
  }

  /// Goes to the next list with events left; false at the end of the stream.
  bool advance() {
    ByteCursor& cursor = reader_->cursor();
    while (state_.events == 0) {
      if (!state_.in_block) {
        if (!next_block()) return false;
        continue;
      }
      if (state_.in_field && state_.j < state_.columns) {
        state_.events = static_cast<std::int64_t>(cursor.count("events"));
        begin_list();
        ++state_.j;
        continue;
      }
      if (state_.in_field && state_.i + 1 < state_.rows) {
        ++state_.i;
        begin_row();
        continue;
      }
      state_.in_field = false;
      next_field();
    }
    return true;
  }

  bool next_block() {
    switch (blocks_.next()) {
      case PetsirdBlocks::Kind::end:
        return false;
      case PetsirdBlocks::Kind::events:
        state_ = State();
        state_.in_block = true;
        return true;
      case PetsirdBlocks::Kind::bed:
      case PetsirdBlocks::Kind::gantry:
        ++place_;
        [[fallthrough]];
      case PetsirdBlocks::Kind::other:
        reader_->skip(blocks_.type());
        ++counts_.others;
    }
    return true;
  }

  void next_field() {
    if (state_.field == blocks_.block().size()) {
      state_ = State();
      return;
    }
    const auto& [name, type] = blocks_.block()[state_.field++];
    ByteCursor& cursor = reader_->cursor();
    if (name == PetsirdBlocks::interval) {
      const YardlValue interval = reader_->value(type);
      time_ms_ = static_cast<std::uint32_t>(petsird_field(interval, "start", cursor.where()).number);
      ++counts_.time_tags;
      return;
    }
    if (!blocks_.is_coincidences(name, type)) return reader_->skip(type);
    if (reader_->is_optional(type) && cursor.varint() == 0) return;
    state_.in_field = true;
    state_.delayed = name == PetsirdBlocks::delayeds;
    state_.i = state_.j = state_.columns = 0;
    state_.rows = cursor.count("types of modules");
    if (state_.rows > 0) begin_row();
  }

  void begin_row() {
    state_.j = 0;
    state_.columns = reader_->cursor().count("types of modules");
  }

  void begin_list() {
    if (state_.events == 0) return;
    const std::size_t types = header_->types().size();
    if (state_.i >= types || state_.j >= types || !header_->pair(state_.i, state_.j).given) refuse_types(types);
    list_i_ = state_.i;
    list_j_ = state_.j;
  }

  void take(std::int64_t count, EventList& out) {
    (state_.delayed ? counts_.delayeds : counts_.prompts) += count;
    state_.events -= count;
    const bool wanted = !state_.delayed || options_.delayeds;
    const auto from = static_cast<std::size_t>(out.size());
    if (wanted) make_room(out, from + static_cast<std::size_t>(count));
    const ModuleType &one = header_->types()[list_i_], &two = header_->types()[list_j_];
    const TypePair& pair = header_->pair(list_i_, list_j_);
    const std::size_t tof_bins = std::max<std::size_t>(1, pair.dt_ps.size());
    for (std::int64_t k = 0; k < count;) {
      k += blocks_.plain()
               ? take_plain(count - k, wanted ? &out : nullptr, from + static_cast<std::size_t>(k), one, two, tof_bins)
               : take_any(wanted ? &out : nullptr, from + static_cast<std::size_t>(k), one, two, tof_bins);
    }
    if (!wanted) return;
    finish(out, from, pair);
  }

  void make_room(EventList& out, std::size_t n) const {
    out.crystal1.resize(n);
    out.crystal2.resize(n);
    out.time_ms.resize(n, time_ms_);
    if (!info_.places.empty()) {
      out.end1.resize(n);
      out.end2.resize(n);
    }
    if (info_.has_tof()) out.dt_ps.resize(n);
    if (header_->has_efficiencies()) out.norm.resize(n);
    if (options_.delayeds) out.kind.resize(n, state_.delayed ? EventKind::delayed : EventKind::unknown);
    tof_.resize(n);
  }

  /// Reads events of three numbers, as many as are in memory. crystal1 and crystal2 first receive detection bins.
  std::int64_t take_plain(std::int64_t count, EventList* out, std::size_t at, const ModuleType& one,
                          const ModuleType& two, std::size_t tof_bins) {
    constexpr std::size_t longest = 2 * 5 + sizeof(std::uint64_t);  // three numbers of five bytes, each read as eight
    ByteCursor& cursor = reader_->cursor();
    auto [p, end] = cursor.ahead(4096);
    if (static_cast<std::size_t>(end - p) < longest) return take_any(out, at, one, two, tof_bins);
    const std::uint8_t* const last = end - longest;
    const std::uint32_t bins1 = one.bins(), bins2 = two.bins();
    std::int64_t k = 0;
    std::uint32_t *bin1 = out ? out->crystal1.data() + at : nullptr, *bin2 = out ? out->crystal2.data() + at : nullptr,
                  *tof = out ? tof_.data() + at : nullptr;
    for (; k < count && p <= last; ++k) {
      std::uint64_t numbers[3];
      for (std::uint64_t& number : numbers)
        if (!short_varint(p, number)) [[unlikely]]
          cursor.fail("a number of more than 32 bits");
      if (numbers[0] >= bins1 || numbers[1] >= bins2 || numbers[2] >= tof_bins) [[unlikely]]
        refuse(numbers[0], numbers[1], numbers[2]);
      if (!out) continue;
      bin1[k] = static_cast<std::uint32_t>(numbers[0]);
      bin2[k] = static_cast<std::uint32_t>(numbers[1]);
      tof[k] = static_cast<std::uint32_t>(numbers[2]);
    }
    cursor.advance(p);
    return k;
  }

  /// Reads one event, with any further fields.
  std::int64_t take_any(EventList* out, std::size_t at, const ModuleType& one, const ModuleType& two,
                        std::size_t tof_bins) {
    std::uint64_t numbers[3] = {};
    for (const auto& [name, type] : blocks_.event()) {
      if (name == "detectionBins") {
        numbers[0] = reader_->cursor().varint();
        numbers[1] = reader_->cursor().varint();
      } else if (name == "tofIdx") {
        numbers[2] = reader_->cursor().varint();
      } else {
        reader_->skip(type);
      }
    }
    if (numbers[0] >= one.bins() || numbers[1] >= two.bins() || numbers[2] >= tof_bins)
      refuse(numbers[0], numbers[1], numbers[2]);
    if (out) {
      out->crystal1[at] = static_cast<std::uint32_t>(numbers[0]);
      out->crystal2[at] = static_cast<std::uint32_t>(numbers[1]);
      tof_[at] = static_cast<std::uint32_t>(numbers[2]);
    }
    return 1;
  }

  [[noreturn]] void refuse_types(std::size_t types) const {
    if (std::max(state_.i, state_.j) >= types)
      reader_->cursor().fail(fmt::format("events of types of modules {} and {}, of {}", state_.i, state_.j, types));
    throw InputError(
        reader_->cursor().where(),
        fmt::format("has events of types of modules {} and {}, but no tofBinEdges of these types", state_.i, state_.j),
        fmt::format("name the larger type first, or give tofBinEdges of {} and {}", state_.i, state_.j));
  }
  [[noreturn]] void refuse(std::uint64_t bin1, std::uint64_t bin2, std::uint64_t tof) const {
    reader_->cursor().fail(fmt::format(
        "an event of detection bins {} and {} and time of flight {}, which its header lacks", bin1, bin2, tof));
  }

  /// Converts detection bins to crystals. Sets time of flight and efficiency from tables.
  void finish(EventList& out, std::size_t from, const TypePair& pair) const {
    const ModuleType &one = header_->types()[list_i_], &two = header_->types()[list_j_];
    const float sign = options_.flip_tof ? -1.0f : 1.0f;
    const auto n = static_cast<std::size_t>(out.size());
    if (info_.has_tof())
      for (std::size_t k = from; k < n; ++k) out.dt_ps[k] = sign * pair.dt_ps[tof_[k]];
    if (header_->has_efficiencies())
      for (std::size_t k = from; k < n; ++k) {
        const double e = header_->efficiency(list_i_, list_j_, out.crystal1[k], out.crystal2[k]);
        if (!(e > 0))
          throw InputError(reader_->cursor().where(),
                           fmt::format("an event of detection bins {} and {}, whose efficiency is {}", out.crystal1[k],
                                       out.crystal2[k], e),
                           "pairs that do not count have no events");
        out.norm[k] = static_cast<float>(1 / e);
      }
    const auto number = [](std::vector<std::uint32_t>& bins, std::size_t begin, std::size_t end, const ModuleType& t) {
      if (t.energies == 1)
        for (std::size_t k = begin; k < end; ++k) bins[k] += t.first;
      else
        for (std::size_t k = begin; k < end; ++k) bins[k] = t.first + bins[k] / t.energies;
    };
    number(out.crystal1, from, n, one);
    number(out.crystal2, from, n, two);
    if (info_.places.empty()) return;
    const ScannerPlace& place = survey_.places.at(place_);
    move_to_ends(out.crystal1, place.moved(one.first), from, out.end1);
    move_to_ends(out.crystal2, place.moved(two.first), from, out.end2);
  }

  void move_to_ends(const std::vector<std::uint32_t>& crystals, const RigidTransform& moved, std::size_t from,
                    std::vector<Vec3f>& ends) const {
    const std::vector<Vec3f>& position = header_->scanner().position;
    for (std::size_t k = from; k < crystals.size(); ++k) ends[k] = Vec3f(moved(Vec3(position[crystals[k]])));
  }

  std::unique_ptr<YardlReader> reader_;
  std::shared_ptr<const PetsirdHeader> header_;
  ListModeOptions options_;
  ListModeInfo info_;
  ListModeCounts counts_;
  PetsirdBlocks blocks_;
  PetsirdSurvey survey_;
  std::optional<std::array<std::size_t, 2>> lacking_{};  ///< types of modules whose events alone have no time of flight
  std::size_t place_ = 0;                                ///< number of movements so far
  std::uint32_t time_ms_ = 0;
  State state_;
  std::size_t list_i_ = 0, list_j_ = 0;
  mutable std::vector<std::uint32_t> tof_;  ///< bins of time of flight of the events being read
};

ListModeFile open_unguarded(const fs::path& path, const ListModeOptions& options) {
  auto reader = std::make_unique<YardlReader>(path);
  if (reader->protocol() != "PETSIRD")
    throw InputError(path.string(), fmt::format("holds {}, not PETSIRD", reader->protocol().substr(0, 40)));
  if (!options.scanner.empty())
    throw InputError(path.string(), "PETSIRD files hold their scanner", "leave `scanner` out");
  if (reader->steps().empty() || reader->steps().front().first != "header")
    throw InputError(path.string(), "does not begin with a header", "it is of a version of PETSIRD not known here");
  auto header = std::make_shared<const PetsirdHeader>(reader->value(reader->steps().front().second), path.string());
  ListModeFile file{header->scanner(), nullptr};
  if (header->has_efficiencies()) {
    file.scanner.given_efficiency = [header](std::int64_t one, std::int64_t two) {
      return header->crystal_efficiency(one, two);
    };
    file.scanner.geometry_is_given = header->has_geometry();
  }
  auto source = std::make_unique<PetsirdSource>(std::move(reader), header, options);
  file.scanner.tof_fwhm_ps = source->info().tof_fwhm_ps;
  HeaderFields fields = header->fields();
  source->note(fields);
  fields.add_to(file);
  file.events = std::move(source);
  return file;
}

ListModeFile open_petsird(const fs::path& path, const ListModeOptions& options) {
  return guarded(path.string(), [&] { return open_unguarded(path, options); });
}

}  // namespace

ListFormat petsird_format() {
  ListFormat f;
  f.name = "petsird";
  f.title = "PETSIRD";
  f.extensions = {".petsird", ".bin"};
  f.recognizes = [](const FileFront& front) {
    return front.bytes.starts_with("yardl") && front.bytes.find("PETSIRD") != std::string::npos;
  };
  f.open = open_petsird;
  f.saved_as = {".petsird"};
  f.create = create_petsird;
  f.notes =
      "binary, versions 0.7 to 0.12 and later ones by the schema in the file, written as 0.12; its scanner is in it";
  return f;
}

}  // namespace backlit::formats
