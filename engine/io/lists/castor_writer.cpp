// Writes CASToR list mode: header, records, scanner and its table.
#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/output_file.hpp>
#include "io/lists/castor_writer.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

fs::path with_extension(fs::path path, const char* extension) { return path.replace_extension(extension); }

/// The arrays that a list holds.
struct Fields {
  bool acf, kind, scatter, random, norm, tof, depth;

  explicit Fields(const EventList& e)
      : acf(!e.acf.empty()),
        kind(!e.kind.empty()),
        scatter(!e.scatter_rate.empty()),
        random(!e.random_rate.empty()),
        norm(!e.norm.empty()),
        tof(!e.dt_ps.empty()),
        depth(!e.end1.empty()) {}
  bool operator==(const Fields&) const = default;
  std::size_t bytes() const { return 12 + 4u * (acf + scatter + random + norm + tof + 2 * depth) + (kind ? 1 : 0); }
};

/// The depth of an end below its crystal's inner face. In the written scanner our positions are the crystals' middles.
float depth_of(const Scanner& scanner, std::uint32_t crystal, const Vec3f& end, const std::string& where) {
  const Vec3f off = end - scanner.position[crystal], outward = scanner.outward[crystal];
  const float along = glm::dot(off, outward), depth = static_cast<float>(scanner.crystal_mm.z) / 2 + along;
  if (!(glm::length(off - along * outward) < 0.01f) || depth < 0)
    throw InputError(where, "an event's end does not lie behind the middle of its crystal's face",
                     "CASToR holds crystals and depths only: leave end points out");
  return depth;
}

std::vector<std::byte> pack(const EventList& events, const Fields& fields, const Scanner& scanner,
                            const std::string& where) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(events.size()) * fields.bytes());
  std::byte* at = bytes.data();
  const auto put = [&](const auto& value) {
    std::memcpy(at, &value, sizeof(value));
    at += sizeof(value);
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(events.size()); ++i) {
    put(events.time_ms.empty() ? std::uint32_t{0} : events.time_ms[i]);
    if (fields.acf) put(events.acf[i]);
    if (fields.kind) put(events.kind[i]);
    if (fields.scatter) put(events.scatter_rate[i]);
    if (fields.random) put(events.random_rate[i]);
    if (fields.norm) put(events.norm[i]);
    if (fields.tof) put(events.dt_ps[i]);
    if (fields.depth) put(depth_of(scanner, events.crystal1[i], events.end1[i], where));
    if (fields.depth) put(depth_of(scanner, events.crystal2[i], events.end2[i], where));
    put(events.crystal1[i]);
    put(events.crystal2[i]);
  }
  return bytes;
}

class CastorWriter final : public ListModeWriter {
 public:
  CastorWriter(const fs::path& path, const Scanner& of, const ListModeInfo& known)
      : cdh_(path), scanner_(of), info_(known), header_(path), data_(with_extension(path, ".cdf")) {
    scanner_.name = cdh_.stem().string();  // CASToR identifies a scanner by the name of its files
  }

  void write(const EventList& events) override {
    if (events.empty()) return;
    const Fields fields(events);
    if (!fields_) fields_ = fields;
    if (*fields_ != fields || events.crystal1.empty())
      throw InputError(cdh_.string(), "events of CASToR's are pairs of crystals that all hold the same fields",
                       "write crystals, with end points or without");
    if (fields.tof && !(info_.tof_fwhm_ps > 0 && info_.tof_range_ps > 0))
      throw InputError(cdh_.string(), "time of flight without resolution and range", "set both in its information");
    events.check(scanner_, cdh_.string());
    data_.write(pack(events, fields, scanner_, cdh_.string()));
    events_ += events.size();
  }

  void commit() override {
    header_.write(std::string_view(text()));
    header_.close();
    data_.close();
    save_scanner(scanner_, with_extension(cdh_, ".hscan"));
    data_.commit();
    header_.commit();
  }

  std::int64_t events() const override { return events_; }

 private:
  std::string text() const {
    const Fields f = fields_.value_or(Fields(EventList()));
    std::string out = fmt::format(
        "Scanner name: {}\nData filename: {}\nNumber of events: {}\nData mode: list-mode\nData type: PET\n"
        "Start time (s): {}\nDuration (s): {}\nCalibration factor: {}\n",
        cdh_.stem().string(), with_extension(cdh_, ".cdf").filename().string(), events_, info_.start_s,
        info_.duration_s, info_.calibration);
    if (!info_.isotope.empty()) out += fmt::format("Isotope: {}\n", info_.isotope);
    if (scanner_.coincidence.max_axial_mm < 1e6)
      out += fmt::format("Maximum axial difference mm: {}\n", scanner_.coincidence.max_axial_mm);
    out += fmt::format(
        "Attenuation correction flag: {:d}\nNormalization correction flag: {:d}\nScatter correction flag: {:d}\n"
        "Random correction flag: {:d}\nCoincidence kind flag: {:d}\nTOF information flag: {:d}\n",
        f.acf, f.norm, f.scatter, f.random, f.kind, f.tof);
    if (f.tof)
      out += fmt::format("TOF resolution (ps): {}\nList TOF measurement range (ps): {}\n", info_.tof_fwhm_ps,
                         info_.tof_range_ps);
    if (f.depth) out += "POI capability: -1,-1,0\n";
    if (f.tof && info_.tof_bin_ps > 0)
      out += fmt::format("List TOF quantization bin size (ps): {}\n", info_.tof_bin_ps);
    return out;
  }

  fs::path cdh_;
  Scanner scanner_;
  ListModeInfo info_;
  OutputFile header_, data_;
  std::optional<Fields> fields_;
  std::int64_t events_ = 0;
};

}  // namespace

std::unique_ptr<ListModeWriter> create_castor(const fs::path& cdh, const Scanner& scanner, const ListModeInfo& info) {
  return std::make_unique<CastorWriter>(cdh, scanner, info);
}

}  // namespace backlit::formats
