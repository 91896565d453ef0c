// SAFIR list mode: a signature of 32 bytes, then words of 64 bits. Words name crystals by ring, detector and layer.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "io/lists/petsird/record_stream.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t signature_bytes = 32;

class SafirSource final : public WordSource<std::uint64_t> {
 public:
  SafirSource(std::string where, RecordStream words, decltype(CrystalMap::number) crystals, bool delayeds)
      : WordSource(std::move(where), std::move(words), delayeds), crystals_(std::move(crystals)) {
    info_.format = "safir";
  }

 private:
  void take(std::uint64_t word, EventList& out) override {
    if (word >> 63) {
      time_ms_ = static_cast<std::uint32_t>(word & ((std::uint64_t{1} << 48) - 1));  // ms
      ++counts_.time_tags;
      return;
    }
    const bool delayed = word >> 62 & 1;
    ++(delayed ? counts_.delayeds : counts_.prompts);
    if (delayed && !delayeds_) return;
    out.crystal1.push_back(crystal(word & 0xff, word >> 16 & 0xffff, word >> 48 & 0xf));
    out.crystal2.push_back(crystal(word >> 8 & 0xff, word >> 32 & 0xffff, word >> 52 & 0xf));
    out.time_ms.push_back(time_ms_);
    if (delayeds_) out.kind.push_back(delayed ? EventKind::delayed : EventKind::unknown);
  }

  std::uint32_t crystal(std::uint64_t ring, std::uint64_t detector, std::uint64_t layer) const {
    const auto signed_of = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
    const auto found = crystals_.find({signed_of(ring), signed_of(detector), signed_of(layer)});
    if (found == crystals_.end())
      throw InputError(where_,
                       fmt::format("word {} names ring {}, detector {}, layer {}, which the crystal map lacks",
                                   position(), ring, detector, layer),
                       "is it the map of this scanner?");
    return found->second;
  }

  decltype(CrystalMap::number) crystals_;
};

fs::path find_map(const fs::path& list, const std::string& given) {
  if (!given.empty()) return given;
  std::vector<fs::path> maps;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::absolute(list).parent_path(), none)) {
    const std::string name = entry.path().filename().string();
    if (name.find("crystal_map") != std::string::npos && name.ends_with(".txt")) maps.push_back(entry.path());
  }
  if (maps.size() != 1)
    throw InputError(list.string(), fmt::format("{} crystal maps are beside it", maps.size()),
                     "give `scanner` with the crystal map (ring, detector, layer, x, y, z)");
  return maps.front();
}

bool is_safir(const std::string& front) {
  return front.starts_with("SAFIR CListModeData") || front.starts_with("MUPET CListModeData");
}

ListModeFile open_safir(const fs::path& path, const ListModeOptions& options) {
  const fs::path map_file = find_map(path, options.scanner);
  CrystalMap map = load_crystal_map(map_file);
  auto bytes = open_bytes(path);
  const std::int64_t body = bytes->size() - signature_bytes;
  if (body < 0 || body % 8 != 0)
    throw InputError(path.string(), fmt::format("is {} bytes long, not 32 and a multiple of 8", bytes->size()),
                     "the file is cut off: copy it again");
  ListModeFile file{std::move(map.scanner), nullptr};
  file.events =
      std::make_unique<SafirSource>(path.string(), RecordStream(std::move(bytes), signature_bytes, 8, body / 8),
                                    std::move(map.number), options.delayeds);
  file.facts = {{"crystals", fmt::format("{}", file.scanner.crystals()), map_file.string()},
                {"events and tags", fmt::format("{} of 8 bytes", body / 8), path.filename().string()}};
  return file;
}

}  // namespace

ListFormat safir_format() {
  ListFormat f;
  f.name = "safir";
  f.title = "SAFIR list mode";
  f.extensions = {".safir"};
  f.recognizes = [](const FileFront& front) { return is_safir(front.bytes); };
  f.open = open_safir;
  f.notes = "crystals from a crystal map beside it";
  return f;
}

}  // namespace backlit::formats
