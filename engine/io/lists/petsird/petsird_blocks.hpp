// The stream of time blocks behind the header of PETSIRD, and the layout of events that the schema gives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/lists/petsird/yardl.hpp"

namespace backlit::formats {

class PetsirdBlocks {
 public:
  using Fields = std::vector<std::pair<std::string, YardlType>>;
  enum class Kind { end, events, bed, gantry, other };

  /// The reader stands behind the header. Throws InputError when the schema has no blocks of events.
  explicit PetsirdBlocks(YardlReader&);

  /// Goes to the next block. The caller reads or skips all of it: type().
  Kind next();
  const YardlType& type() const { return type_; }
  const std::string& tag() const { return tag_; }
  /// Goes back to the first block.
  void rewind();

  YardlReader& reader() { return reader_; }
  /// Fields of a block of events, and of one event.
  const Fields& block() const { return block_; }
  const Fields& event() const { return event_; }
  /// An event is two detection bins and a bin of time of flight, in this order and without more.
  bool plain() const { return plain_; }
  /// Whether this field of a block holds coincidences: lists of events by pair of types of modules.
  bool is_coincidences(const std::string& name, const YardlType&) const;

  static constexpr const char *prompts = "promptEvents", *delayeds = "delayedEvents", *interval = "timeInterval";

 private:
  YardlType event_type(YardlType matrix) const;
  void find_blocks();
  void find_events();

  YardlReader& reader_;
  Fields kinds_, block_, event_;
  YardlType type_;
  std::string tag_;
  bool plain_ = false;
  std::int64_t start_ = 0;
  std::uint64_t in_chunk_ = 0;
  bool ended_ = false;
};

}  // namespace backlit::formats
