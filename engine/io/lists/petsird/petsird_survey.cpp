#include "io/lists/petsird/petsird_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace backlit::formats {
namespace {

constexpr std::size_t most_places = 500;

/// Movements hold until the next one. A bed's takes the patient from the reference position to where the bed is, so
/// that crystals go the other way; a gantry's takes crystals to where they are. Both are in the frame of the modules.
class Movements {
 public:
  Movements(const PetsirdHeader& header, std::string where)
      : header_(header), where_(std::move(where)), gantry_(header.types().size()) {}

  ScannerPlace place() const {
    const RigidTransform &out = header_.alignment(), in = out.inverse();
    ScannerPlace place{{}, 0};
    for (std::size_t i = 0; i < gantry_.size(); ++i) {
      if (i > 0 && gantry_[i] == gantry_[i - 1]) continue;
      const RigidTransform moved = bed_.after(gantry_[i]);
      place.parts.push_back({header_.types()[i].first, moved == RigidTransform() ? moved : out.after(moved.after(in))});
    }
    return place;
  }

  void move_bed(const YardlValue& block) { bed_ = transform(petsird_field(block, "transform", where_)).inverse(); }

  /// Of all types of modules, or one each.
  void move_gantry(const YardlValue& block) {
    const YardlValue* const each = block.find("transforms");
    if (!each) {
      std::ranges::fill(gantry_, transform(petsird_field(block, "transform", where_)));
      return;
    }
    if (each->items.size() != gantry_.size())
      throw InputError(where_,
                       fmt::format("a gantry moves {} types of modules, of {}", each->items.size(), gantry_.size()));
    std::ranges::transform(each->items, gantry_.begin(), [&](const YardlValue& t) { return transform(t); });
  }

 private:
  RigidTransform transform(const YardlValue& value) const {
    const RigidTransform t = petsird_transform(value, where_);
    const glm::dmat3 square = glm::transpose(t.turn) * t.turn;
    double worst = std::abs(glm::determinant(t.turn) - 1);
    for (int i = 0; i < 3; ++i) worst = std::max(worst, glm::length(square[i] - glm::dmat3(1)[i]));
    if (!(worst < 1e-3) || !std::isfinite(glm::length(t.shift)))
      throw InputError(where_, "a movement of bed or gantry is no rotation and shift");
    return t;
  }

  const PetsirdHeader& header_;
  std::string where_;
  RigidTransform bed_;  ///< of crystals
  std::vector<RigidTransform> gantry_;
};

std::vector<double> numbers_of(const ScannerPlace& place) {
  std::vector<double> all;
  for (const auto& [first, moved] : place.parts) {
    all.push_back(static_cast<double>(first));
    for (int i = 0; i < 3; ++i)
      for (const double value : {moved.turn[i].x, moved.turn[i].y, moved.turn[i].z, moved.shift[i]})
        all.push_back(value);
  }
  return all;
}

/// Continuous movement in many small steps: so many in a row count as the middle one of them.
std::vector<ScannerPlace> joined(std::vector<ScannerPlace> places) {
  const std::size_t in_a_row = (places.size() + most_places - 1) / most_places;
  if (in_a_row <= 1) return places;
  std::vector<ScannerPlace> all;
  for (std::size_t first = 0; first < places.size(); first += in_a_row) {
    const std::size_t end = std::min(first + in_a_row, places.size());
    all.push_back(places[(first + end) / 2]);
    all.back().share = 0;
    for (std::size_t i = first; i < end; ++i) all.back().share += places[i].share;
  }
  return all;
}

class Surveyor {
 public:
  Surveyor(PetsirdBlocks& blocks, const PetsirdHeader& header)
      : blocks_(blocks),
        reader_(blocks.reader()),
        where_(blocks.reader().cursor().where()),
        types_(header.types().size()),
        movements_(header, where_) {
    found_.has_events.assign(types_ * types_, !blocks_.plain());
  }

  PetsirdSurvey survey() {
    found_.places.push_back(movements_.place());
    for (auto kind = blocks_.next(); kind != PetsirdBlocks::Kind::end; kind = blocks_.next()) {
      if (kind == PetsirdBlocks::Kind::events)
        count_events();
      else if (kind == PetsirdBlocks::Kind::other)
        skip_unused(blocks_.tag(), blocks_.type());
      else
        move(kind);
    }
    blocks_.rewind();
    for (const ScannerPlace& place : found_.places) found_.duration_s += place.share;
    if (found_.places.size() > 1 && has_events_ && !(found_.duration_s > 0))
      throw InputError(where_, "bed or gantry move, but its blocks of events last no time",
                       "give each timeInterval its stop");
    for (ScannerPlace& place : found_.places) place.share /= std::max(found_.duration_s, 1e-9);
    return std::move(found_);
  }

 private:
  struct Interval {
    double start_s = 0, stop_s = 0;
  };

  Interval interval(const YardlValue& value) const {
    const double start = petsird_field(value, "start", where_).number;
    const YardlValue* const stop = value.find("stop");
    return {1e-3 * start, 1e-3 * (stop ? std::max(start, stop->number) : start)};
  }

  void move(PetsirdBlocks::Kind kind) {
    const YardlValue block = reader_.value(blocks_.type());
    moved_s_ = interval(petsird_field(block, PetsirdBlocks::interval, where_)).start_s;
    if (moved_s_ < events_s_) refuse_order(moved_s_, events_s_);
    if (kind == PetsirdBlocks::Kind::bed)
      movements_.move_bed(block);
    else
      movements_.move_gantry(block);
    found_.places.push_back(movements_.place());
  }

  void take_time(const Interval& of) {
    if (of.start_s < moved_s_) refuse_order(of.start_s, moved_s_);
    events_s_ = std::max(events_s_, of.start_s);
    found_.places.back().share += std::max(0.0, of.stop_s - std::max(of.start_s, counted_s_));
    counted_s_ = std::max(counted_s_, of.stop_s);  // several blocks may share their time
    has_events_ = true;
  }

  [[noreturn]] void refuse_order(double later_s, double before_s) const {
    throw InputError(where_,
                     fmt::format("bed or gantry move, but a block of {} s comes after one of {} s", later_s, before_s),
                     "sort its blocks by time");
  }

  void count_events() {
    for (const auto& [name, type] : blocks_.block()) {
      if (name == PetsirdBlocks::interval) {
        take_time(interval(reader_.value(type)));
      } else if (blocks_.is_coincidences(name, type) && blocks_.plain()) {
        const std::int64_t events = skip_coincidences(type);
        if (name == PetsirdBlocks::prompts) found_.prompts += events;
      } else if (blocks_.is_coincidences(name, type)) {
        reader_.skip(type);
      } else {
        skip_unused(fmt::format("{}.{}", blocks_.tag(), name), type);
      }
    }
  }

  void skip_unused(const std::string& name, const YardlType& type) {
    const std::int64_t before = reader_.cursor().position();
    reader_.skip(type);
    if (reader_.cursor().position() - before > 1) ++found_.unused[name];  // one byte: an empty list, or nothing
  }

  /// Of events that are three numbers each.
  std::int64_t skip_coincidences(const YardlType& type) {
    ByteCursor& cursor = reader_.cursor();
    if (reader_.is_optional(type) && cursor.varint() == 0) return 0;
    std::uint64_t events = 0;
    const std::uint64_t rows = cursor.count("types of modules");
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::uint64_t columns = cursor.count("types of modules");
      for (std::uint64_t j = 0; j < columns; ++j) {
        const std::uint64_t here = cursor.count("events");
        cursor.skip_varints(3 * here);
        events += here;
        if (here > 0 && i < types_ && j < types_) found_.has_events[i * types_ + j] = true;
      }
    }
    return static_cast<std::int64_t>(events);
  }

  PetsirdBlocks& blocks_;
  YardlReader& reader_;
  std::string where_;
  std::size_t types_;
  Movements movements_;
  PetsirdSurvey found_;
  bool has_events_ = false;
  double events_s_ = 0, moved_s_ = 0;  ///< starts of the latest block of events and of the last movement
  double counted_s_ = 0;               ///< end of the time that events were counted in
};

}  // namespace

std::vector<ScannerPlace> PetsirdSurvey::distinct() const {
  std::map<std::vector<double>, std::size_t> known;
  std::vector<ScannerPlace> all;
  for (const ScannerPlace& place : places) {
    if (!(place.share > 0)) continue;
    const auto [at, is_new] = known.emplace(numbers_of(place), all.size());
    if (is_new)
      all.push_back(place);
    else
      all[at->second].share += place.share;
  }
  if (all.size() == 1 && all.front().parts == ScannerPlace().parts) all.clear();
  return joined(std::move(all));
}

PetsirdSurvey survey_petsird(PetsirdBlocks& blocks, const PetsirdHeader& header) {
  return Surveyor(blocks, header).survey();
}

}  // namespace backlit::formats
