#include "io/lists/petsird/petsird_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <backlit/core/error.hpp>

namespace backlit::formats {

PetsirdBlocks::PetsirdBlocks(YardlReader& reader) : reader_(reader) {
  find_blocks();
  find_events();
  start_ = reader_.cursor().position();
}

void PetsirdBlocks::find_blocks() {
  YardlType stream;
  for (const auto& [name, type] : reader_.steps())
    if (reader_.items(type).type) stream = reader_.items(type);
  if (stream.type) kinds_ = reader_.choices(stream);
  for (const auto& [tag, type] : kinds_)
    if (tag == "EventTimeBlock" && type.type) block_ = reader_.fields(type);
  if (block_.empty())
    throw InputError(reader_.cursor().where(), "its schema has no EventTimeBlock",
                     "it is of a version of PETSIRD not known here");
}

void PetsirdBlocks::find_events() {
  for (const auto& [name, type] : block_)
    if (name == prompts) event_ = reader_.fields(event_type(type));
  const auto has = [&](const char* name) {
    return std::ranges::any_of(event_, [&](const auto& field) { return field.first == name; });
  };
  if (!has("detectionBins") || !has("tofIdx"))
    throw InputError(reader_.cursor().where(), "its schema has no events of detectionBins and tofIdx",
                     "it is of a version of PETSIRD not known here");
  plain_ = event_.size() == 2 && event_[0].first == "detectionBins";
}

/// The type of an event, from the type of a matrix of lists of events.
YardlType PetsirdBlocks::event_type(YardlType matrix) const {
  if (reader_.is_optional(matrix)) matrix = reader_.items(matrix);
  for (int level = 0; level < 3; ++level) {
    matrix = reader_.items(matrix);
    if (!matrix.type) return {};
  }
  return matrix;
}

bool PetsirdBlocks::is_coincidences(const std::string& name, const YardlType& type) const {
  return (name == prompts || name == delayeds) && event_type(type).type != nullptr;
}

PetsirdBlocks::Kind PetsirdBlocks::next() {
  if (ended_) return Kind::end;
  ByteCursor& cursor = reader_.cursor();
  if (in_chunk_ == 0) in_chunk_ = cursor.count("blocks");
  if (in_chunk_ == 0) {
    ended_ = true;
    return Kind::end;
  }
  --in_chunk_;
  const std::uint64_t index = cursor.varint();
  if (index >= kinds_.size()) cursor.fail(fmt::format("block of kind {} of {}", index, kinds_.size()));
  const auto& [tag, type] = kinds_[index];
  type_ = type;
  tag_ = tag;
  if (tag == "EventTimeBlock") return Kind::events;
  if (tag == "BedMovementTimeBlock") return Kind::bed;
  return tag == "GantryMovementTimeBlock" ? Kind::gantry : Kind::other;
}

void PetsirdBlocks::rewind() {
  reader_.cursor().seek(start_);
  in_chunk_ = 0;
  ended_ = false;
}

}  // namespace backlit::formats
