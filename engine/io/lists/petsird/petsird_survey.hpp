// What a pass over the blocks of PETSIRD tells before events are read: how many there are, and what moved.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <backlit/data/list_mode.hpp>
#include "io/lists/petsird/petsird_blocks.hpp"
#include "io/lists/petsird/petsird_header.hpp"

namespace backlit::formats {

struct PetsirdSurvey {
  std::int64_t prompts = 0;  ///< 0 where events have more fields than three numbers
  double duration_s = 0;     ///< covered by blocks of events
  /// Where the scanner was at first, and from each movement of bed or gantry on. One: nothing moved.
  std::vector<ScannerPlace> places{};
  /// Whether pair (i, j) of types of modules has events, in the order of PetsirdHeader::pair(); all true where events
  /// have more fields than three numbers.
  std::vector<bool> has_events{};
  /// Kinds of blocks, and fields of blocks of events, that are not used: in how many blocks they are not empty.
  std::map<std::string, std::int64_t> unused{};

  /// Places at which events were measured, each once; at most 500, of more some in a row are joined. Empty when this is
  /// the scanner's own place alone.
  std::vector<ScannerPlace> distinct() const;
};

/// Reads all blocks and goes back to the first. Throws InputError for what is no stream of PETSIRD, for movements that
/// are no rotation and shift, and for events and movements that are not in the order of time.
PetsirdSurvey survey_petsird(PetsirdBlocks&, const PetsirdHeader&);

}  // namespace backlit::formats
