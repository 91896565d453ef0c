// PETSIRD's streams in parts: lists that the writer made, with movements of the bed between them.
#pragma once

#include <string>

#include <backlit/io/lists/list_mode_file.hpp>
#include "support/io/damage.hpp"
#include "support/scratch.hpp"

namespace backlit::test {

/// A movement of the bed as a chunk of the stream.
inline std::string bed_block(std::uint32_t time_ms, const RigidTransform& t) {
  std::string bytes{1, 2};  // one block, of kind 2
  const auto number = [&](std::uint32_t value) {
    for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
    bytes += static_cast<char>(value);
  };
  number(time_ms);
  number(time_ms);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) {
      const auto value = static_cast<float>(column < 3 ? t.turn[column][row] : t.shift[row]);
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  return bytes;
}

/// Without the byte that ends the stream.
struct PetsirdStream {
  std::string header, blocks;
};

/// What the writer makes of a list, without the byte that ends the stream.
inline std::string petsird_bytes(const Scratch& folder, const Scanner& scanner, const EventList& events,
                                 const ListModeInfo& info = {}) {
  const auto writer = create_list_mode(folder / "part.petsird", scanner, info);
  writer->write(events);
  writer->commit();
  std::string bytes = file_bytes(folder / "part.petsird");
  bytes.pop_back();
  return bytes;
}

inline PetsirdStream petsird_stream(const Scratch& folder, const Scanner& scanner, const EventList& events,
                                    const ListModeInfo& info = {}) {
  ListModeInfo timeless = info;
  timeless.duration_s = 0;
  const std::string header = petsird_bytes(folder, scanner, {}, timeless),
                    all = petsird_bytes(folder, scanner, events, info);
  return {header, all.substr(header.size())};
}

}  // namespace backlit::test
