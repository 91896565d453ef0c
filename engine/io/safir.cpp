// SAFIR list mode: a signature of 32 bytes, then words of 64 bits; crystals are named by ring, detector and layer.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "io/list_mode_formats.hpp"
#include "io/scanner_file.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t signature_bytes = 32;

class SafirSource final : public ListModeSource {
 public:
  SafirSource(std::string where, RecordStream words, decltype(CrystalMap::number) crystals, bool delayeds)
      : where_(std::move(where)), words_(std::move(words)), crystals_(std::move(crystals)), delayeds_(delayeds) {
    info_.format = "safir";
  }

  const ListModeInfo& info() const override { return info_; }
  ListModeCounts counts() const override { return counts_; }
  void rewind() override {
    words_.rewind();
    counts_ = {};
    time_ = 0;
  }
  bool read(std::int64_t most, EventList& out) override {
    out.clear();
    while (out.size() < most)
      if (const std::byte* bytes = words_.next())
        take(load_number<std::uint64_t>(bytes), out);
      else
        break;
    return !out.empty();
  }

 private:
  void take(std::uint64_t word, EventList& out) {
    if (word >> 63) {
      time_ = word & ((std::uint64_t{1} << 48) - 1);  // ms
      ++counts_.time_tags;
      return;
    }
    const bool delayed = word >> 62 & 1;
    ++(delayed ? counts_.delayeds : counts_.prompts);
    if (delayed && !delayeds_) return;
    out.crystal1.push_back(crystal(word & 0xff, word >> 16 & 0xffff, word >> 48 & 0xf));
    out.crystal2.push_back(crystal(word >> 8 & 0xff, word >> 32 & 0xffff, word >> 52 & 0xf));
    out.time_ms.push_back(static_cast<std::uint32_t>(time_));
    if (delayeds_) out.kind.push_back(delayed ? EventKind::delayed : EventKind::unknown);
  }

  std::uint32_t crystal(std::uint64_t ring, std::uint64_t detector, std::uint64_t layer) const {
    const auto signed_of = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
    const auto found = crystals_.find({signed_of(ring), signed_of(detector), signed_of(layer)});
    if (found == crystals_.end())
      throw InputError(where_,
                       fmt::format("word {} names ring {}, detector {}, layer {}, which the crystal map lacks",
                                   words_.position() - 1, ring, detector, layer),
                       "is it the map of this scanner?");
    return found->second;
  }

  ListModeInfo info_;
  std::string where_;
  RecordStream words_;
  decltype(CrystalMap::number) crystals_;
  bool delayeds_;
  ListModeCounts counts_;
  std::uint64_t time_ = 0;
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
    throw InputError(list.string(), fmt::format("{} crystal maps lie beside it", maps.size()),
                     "give --scanner with the crystal map (ring, detector, layer, x, y, z)");
  return maps.front();
}

}  // namespace

bool is_safir(const std::string& front) {
  return front.starts_with("SAFIR CListModeData") || front.starts_with("MUPET CListModeData");
}

ListModeFile open_safir(const fs::path& path, const ListModeOptions& options) {
  CrystalMap map = load_crystal_map(find_map(path, options.scanner));
  auto bytes = open_bytes(path);
  const std::int64_t body = bytes->size() - signature_bytes;
  if (body < 0 || body % 8 != 0)
    throw InputError(path.string(), fmt::format("is {} bytes long, not 32 and a multiple of 8", bytes->size()),
                     "the file is cut off: copy it again");
  ListModeFile file{std::move(map.scanner), nullptr};
  file.events =
      std::make_unique<SafirSource>(path.string(), RecordStream(std::move(bytes), signature_bytes, 8, body / 8),
                                    std::move(map.number), options.delayeds);
  return file;
}

}  // namespace backlit::formats
