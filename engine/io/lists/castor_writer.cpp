#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_mode_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include <backlit/io/output_file.hpp>
#include "io/text_fields.hpp"

namespace backlit {
namespace {

namespace fs = std::filesystem;

fs::path with_extension(fs::path path, const char* extension) { return path.replace_extension(extension); }

/// Which arrays a list holds.
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

/// How deep below its crystal's inner face an end lies; the written scanner has crystals' middles where ours says.
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

}  // namespace

struct CastorWriter::Impl {
  fs::path cdh;
  Scanner scanner;
  ListModeInfo info;
  OutputFile header, data;
  std::optional<Fields> fields;
  std::int64_t events = 0;

  Impl(const fs::path& path, const Scanner& of, const ListModeInfo& known)
      : cdh(path), scanner(of), info(known), header(path), data(with_extension(path, ".cdf")) {
    scanner.name = cdh.stem().string();  // CASToR knows a scanner by the name of its files
  }

  std::string text() const {
    const Fields f = fields.value_or(Fields(EventList()));
    std::string out = fmt::format(
        "Scanner name: {}\nData filename: {}\nNumber of events: {}\nData mode: list-mode\nData type: PET\n"
        "Start time (s): {}\nDuration (s): {}\nCalibration factor: {}\n",
        cdh.stem().string(), with_extension(cdh, ".cdf").filename().string(), events, info.start_s, info.duration_s,
        info.calibration);
    if (!info.isotope.empty()) out += fmt::format("Isotope: {}\n", info.isotope);
    if (scanner.coincidence.max_axial_mm < 1e6)
      out += fmt::format("Maximum axial difference mm: {}\n", scanner.coincidence.max_axial_mm);
    out += fmt::format(
        "Attenuation correction flag: {:d}\nNormalization correction flag: {:d}\nScatter correction flag: {:d}\n"
        "Random correction flag: {:d}\nCoincidence kind flag: {:d}\nTOF information flag: {:d}\n",
        f.acf, f.norm, f.scatter, f.random, f.kind, f.tof);
    if (f.tof)
      out += fmt::format("TOF resolution (ps): {}\nList TOF measurement range (ps): {}\n", info.tof_fwhm_ps,
                         info.tof_range_ps);
    if (f.depth) out += "POI capability: -1,-1,0\n";
    if (f.tof && info.tof_bin_ps > 0) out += fmt::format("List TOF quantization bin size (ps): {}\n", info.tof_bin_ps);
    return out;
  }
};

CastorWriter::CastorWriter(const fs::path& cdh, const Scanner& scanner, const ListModeInfo& info) {
  if (file_extension(cdh.string()) != ".cdh")
    throw InputError(cdh.string(), "list mode is written as CASToR's", "let the name end in .cdh");
  impl_ = std::make_unique<Impl>(cdh, scanner, info);
}

CastorWriter::~CastorWriter() = default;

void CastorWriter::write(const EventList& events) {
  if (events.empty()) return;
  const Fields fields(events);
  if (!impl_->fields) impl_->fields = fields;
  if (*impl_->fields != fields || events.crystal1.empty())
    throw InputError(impl_->cdh.string(), "events of CASToR's are pairs of crystals that all hold the same fields",
                     "write crystals, with end points or without");
  if (fields.tof && !(impl_->info.tof_fwhm_ps > 0 && impl_->info.tof_range_ps > 0))
    throw InputError(impl_->cdh.string(), "time of flight without resolution and range", "set both in its information");
  events.check(impl_->scanner, impl_->cdh.string());
  impl_->data.write(pack(events, fields, impl_->scanner, impl_->cdh.string()));
  impl_->events += events.size();
}

void CastorWriter::set_duration(double seconds) { impl_->info.duration_s = seconds; }
void CastorWriter::set_calibration(double factor) { impl_->info.calibration = factor; }
std::int64_t CastorWriter::events() const { return impl_->events; }

void CastorWriter::commit() {
  impl_->header.write(std::string_view(impl_->text()));
  impl_->header.close();
  impl_->data.close();
  save_castor_scanner(impl_->scanner, with_extension(impl_->cdh, ".hscan"));
  impl_->data.commit();
  impl_->header.commit();
}

}  // namespace backlit
