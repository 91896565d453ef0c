// Siemens PETLINK list mode of 32-bit bin addresses (ECAT 8; mMR and Biograph): an Interfile header beside words that
// name bins of a sinogram of span 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "io/lists/interfile.hpp"
#include "io/lists/petsird/record_stream.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// The sinogram whose bins the words name.
struct BinSpace {
  std::int64_t projections = 0, views = 0, rings = 0, max_ring_difference = 0, tof_bins = 1;
  std::vector<std::array<std::int32_t, 2>> rings_of_plane;

  std::int64_t per_ring() const { return 2 * views; }
  std::int64_t bins() const {
    return projections * views * static_cast<std::int64_t>(rings_of_plane.size()) * tof_bins;
  }
};

BinSpace read_bins(Interfile& header) {
  BinSpace bins;
  if (header.count("lm event and tag words format (bits)", "bits of a word", 64) != 32)
    throw InputError(header.where(), "its words do not have 32 bits", "32-bit lists can be read");
  if (header.count("axial compression", "axial compression (span)", 1000) != 1)
    throw InputError(header.where(), "its axial compression (span) is not 1", "span 1 can be read");
  bins.projections = header.count("number of projections", "projections of a view", 4096);
  bins.views = header.count("number of views", "views", 4096);
  bins.rings = header.count("number of rings", "rings", 1024);
  bins.max_ring_difference = header.count("maximum ring difference", "largest difference of rings", bins.rings - 1);
  bins.tof_bins = header.count("number of tof time bins", "bins of time of flight", 1024, 1);
  if (bins.tof_bins > 1)
    throw InputError(header.where(), fmt::format("{} time-of-flight bins", bins.tof_bins),
                     "lists without time of flight can be read: the width of their bins is not in the header");
  if (bins.projections > bins.per_ring())
    throw InputError(header.where(), fmt::format("{} projections of {} views", bins.projections, bins.views),
                     "a ring of two detectors a view has at most as many projections as detectors");
  // Segments are in the order 0, +1, -1, +2, ... In segment +d the second ring is d above the first.
  for (std::int64_t d = 0; d <= bins.max_ring_difference; ++d)
    for (const int sign : {1, -1}) {
      if (d == 0 && sign < 0) continue;
      for (std::int64_t low = 0; low + d < bins.rings; ++low) {
        const auto a = static_cast<std::int32_t>(low), b = static_cast<std::int32_t>(low + d);
        bins.rings_of_plane.push_back(sign > 0 ? std::array{a, b} : std::array{b, a});
      }
    }
  return bins;
}

class SiemensSource final : public WordSource<std::uint32_t> {
 public:
  SiemensSource(std::string where, RecordStream words, BinSpace bins, bool delayeds)
      : WordSource(std::move(where), std::move(words), delayeds), bins_(std::move(bins)) {
    info_.format = "siemens";
  }

 private:
  void take(std::uint32_t word, EventList& out) override {
    if (word >> 29 == 4) {
      time_ms_ = word & 0x1fffffffu;  // ms
      ++counts_.time_tags;
    } else if (word >> 31) {
      ++counts_.others;
    } else {
      const bool prompt = word >> 30 & 1;
      ++(prompt ? counts_.prompts : counts_.delayeds);
      if (prompt || delayeds_) take_event(word & 0x3fffffffu, prompt, out);
    }
  }

  void take_event(std::uint32_t bin, bool prompt, EventList& out) {
    if (bin >= bins_.bins())
      throw InputError(where_, fmt::format("word {} names bin {} of {}", position(), bin, bins_.bins()),
                       "the header does not belong to this list, or the list is damaged");
    const std::int64_t n = bins_.per_ring();
    const std::int64_t tangential = bin % bins_.projections - bins_.projections / 2;
    const std::int64_t view = bin / bins_.projections % bins_.views;
    const auto rings = bins_.rings_of_plane[static_cast<std::size_t>(bin / bins_.projections / bins_.views)];
    const auto [a, b] = detectors_of_bin(view, tangential, n);
    out.crystal1.push_back(static_cast<std::uint32_t>(rings[0] * n + a));
    out.crystal2.push_back(static_cast<std::uint32_t>(rings[1] * n + b));
    out.time_ms.push_back(time_ms_);
    if (delayeds_) out.kind.push_back(prompt ? EventKind::unknown : EventKind::delayed);
  }

  BinSpace bins_;
};

/// The ring that the header describes; a given scanner must have its numbers of rings and detectors.
Scanner find_scanner(Interfile& header, const BinSpace& bins, const std::string& given) {
  if (!given.empty()) {
    Scanner scanner = load_scanner(given);
    if (scanner.crystals() != bins.rings * bins.per_ring())
      throw InputError(given,
                       fmt::format("has {} crystals, but the list names {} rings of {}", scanner.crystals(), bins.rings,
                                   bins.per_ring()),
                       "give the scanner that the list was measured with");
    return scanner;
  }
  RingLayout layout;
  layout.modules = bins.per_ring();
  layout.module_rings = bins.rings;
  layout.face_radius_mm = header.length_mm("gantry crystal radius (cm)", "radius of the crystals");
  layout.pitch_mm = 2 * layout.face_radius_mm * std::tan(pi / static_cast<double>(layout.modules));
  layout.ring_spacing_mm = header.length_mm("distance between rings (cm)", "distance of rings");
  layout.layers_mm = {20};  // not in the header, and not needed for the crystals' positions
  layout.mean_depth_mm = 0;
  const double reach = pi / 2 * static_cast<double>(bins.projections) / static_cast<double>(bins.views);
  const Coincidence rule{std::max(0.0, 180 - reach / radians_per_degree),
                         static_cast<double>(bins.max_ring_difference) * layout.ring_spacing_mm};
  return make_ring_scanner("Siemens", layout, rule, header.where());
}

bool is_siemens(const std::string& front) {
  const std::string text = lower_case(front.substr(0, 400));
  return text.find("!interfile") != std::string::npos && lower_case(front).find("coincidencelist") != std::string::npos;
}

ListModeFile open_siemens(const fs::path& path, const ListModeOptions& options) {
  Interfile header(path);
  BinSpace bins = read_bins(header);
  const fs::path data = path.parent_path() / header.text("name of data file", "events");
  auto bytes = open_bytes(data);
  if (bytes->size() % 4 != 0)
    throw InputError(data.string(), fmt::format("is {} bytes long, not a multiple of 4", bytes->size()),
                     "the file is cut off: copy it again");
  const std::int64_t words = bytes->size() / 4;
  ListModeFile file{find_scanner(header, bins, options.scanner), nullptr};
  file.events = std::make_unique<SiemensSource>(data.string(), RecordStream(std::move(bytes), 0, 4, words),
                                                std::move(bins), options.delayeds);
  header.fields().add_to(file);
  return file;
}

}  // namespace

ListFormat siemens_format() {
  ListFormat f;
  f.name = "siemens";
  f.title = "Siemens 32-bit list mode";
  f.extensions = {".hdr", ".h33", ".hdr.stir"};
  f.recognizes = [](const FileFront& front) { return is_siemens(front.bytes); };
  f.open = open_siemens;
  f.notes = "name the Interfile header; span 1, no time of flight";
  return f;
}

}  // namespace backlit::formats
