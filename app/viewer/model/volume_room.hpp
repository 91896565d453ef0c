// Room for the volume of the next reconstruction: its size, and the memory that is free for it.
#pragma once

#include <string>

#include "model/engine/events.hpp"
#include "model/state.hpp"

namespace backlit::viewer {

/// Free memory of the device that shows volumes.
struct Room {
  std::int64_t bytes = 0;  ///< 0: unknown
  bool card = true;        ///< false: a CPU draws, in the memory of the machine
};
/// Asks the current context.
Room free_room(bool software);

/// The grid of the next reconstruction. Throws InputError for fields that contradict each other.
VolumeGrid next_grid(const SourceInfo&, const GeometryState&, const GridState&);
/// Bytes on the device while a volume is reconstructed and shown: itself, its picture, and the picture before.
std::int64_t needed_bytes(const VolumeGrid&);
/// "512 × 512 × 512, 512 MiB".
std::string size_in_words(const VolumeGrid&);
/// "the card has 3.1 GiB free"; empty: unknown.
std::string room_in_words(const Room&);
/// Why a volume does not fit, and what would; empty: it fits, or that is unknown. `present`: the volume that it
/// replaces, whose memory it gets.
std::string too_large(const VolumeGrid&, const VolumeGrid& present, const Room&);

}  // namespace backlit::viewer
