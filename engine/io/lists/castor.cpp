// CASToR list mode: a text header (.cdh) and records of one size (.cdf). Each record holds crystals and corrections.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/core/parallel.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/normalisation_file.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "io/byte_source.hpp"
#include "io/lists/castor_header.hpp"
#include "io/lists/castor_writer.hpp"
#include "io/lists/petsird/record_stream.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// The optional fields of a record, in the order of the file.
struct RecordLayout {
  bool acf = false, kind = false, scatter = false, random = false, norm = false, tof = false;
  std::array<bool, 3> interaction{};  ///< positions of interaction: radial, tangential, depth
  std::int64_t lines = 1;             ///< most crystal pairs an event may have
  bool time = true;                   ///< not in normalisation files

  bool has_interaction() const { return interaction[0] || interaction[1] || interaction[2]; }
  /// Bytes of a record with real numbers of `real` bytes: CASToR can be built with float or double.
  std::int64_t bytes(std::int64_t real) const {
    const std::int64_t reals =
        acf + scatter + random + norm + tof + 2 * (interaction[0] + interaction[1] + interaction[2]);
    return (time ? 4 : 0) + reals * real + (kind ? 1 : 0) + (lines > 1 ? 2 : 0) + 8 * lines;
  }
};

RecordLayout read_layout(const CastorHeader& header) {
  RecordLayout layout;
  layout.acf = header.flag("Attenuation correction flag");
  layout.kind = header.flag("Coincidence kind flag");
  layout.scatter = header.flag("Scatter correction flag");
  layout.random = header.flag("Random correction flag");
  layout.norm = header.flag("Normalization correction flag");
  layout.tof = header.flag("TOF information flag");
  layout.lines = header.integer("Maximum number of lines per event", 1, 65535, 1);
  if (const auto text = header.text("POI capability")) {  // a resolution in each direction; negative: none
    const auto resolution = parse_numbers(*text, 3, header.where(), "POI capability");
    for (std::size_t i = 0; i < 3; ++i) layout.interaction[i] = resolution[i] >= 0;
  }
  return layout;
}

/// Reads the numbers of one record one after another.
class Record {
 public:
  Record(const std::byte* at, bool doubles, std::int64_t event, const std::string& where)
      : at_(at), doubles_(doubles), event_(event), where_(where) {}

  template <class T>
  T next() {
    const T value = formats::load_number<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  float real(const char* name, float least) {
    const double value = doubles_ ? next<double>() : static_cast<double>(next<float>());
    if (!(value >= static_cast<double>(least) && value < 1e30))
      fail(fmt::format("{} of {}", name, value), "is the header that of another list?");
    return static_cast<float>(value);
  }
  std::uint32_t crystal(std::uint32_t crystals) {
    const auto id = next<std::uint32_t>();
    if (id >= crystals)
      fail(fmt::format("crystal {}, but the scanner has {}", id, crystals), "is it the right scanner?");
    return id;
  }
  [[noreturn]] void fail(const std::string& problem, const char* remedy) const {
    throw InputError(where_, fmt::format("event {} has a {}", event_, problem), remedy);
  }

 private:
  const std::byte* at_;
  bool doubles_;
  std::int64_t event_;
  const std::string& where_;
};

/// The file that holds the records.
struct Records {
  std::string where;
  std::unique_ptr<ByteSource> bytes;
  bool doubles = false;
};

/// Opens the records. Throws InputError when the size is not that of `events` records.
Records open_records(const fs::path& cdh, const CastorHeader& header, std::int64_t events, const RecordLayout& layout) {
  const fs::path data = cdh.parent_path() / header.required_text("Data filename");
  auto bytes = open_bytes(data);
  const std::int64_t size = bytes->size();
  const auto holds = [&](std::int64_t record) { return size % record == 0 && size / record == events; };
  const bool doubles = !holds(layout.bytes(4)) && holds(layout.bytes(8));
  if (!doubles && !holds(layout.bytes(4)))
    throw InputError(data.string(),
                     fmt::format("is {} bytes long, not {} events of {} bytes", size, events, layout.bytes(4)),
                     "the header's number of events or flags are wrong, or the file is cut off");
  return {data.string(), std::move(bytes), doubles};
}

/// Reads and decodes records in parallel.
class CastorSource final : public ListModeSource {
 public:
  CastorSource(ListModeInfo info, const RecordLayout& layout, double tof_sign, Records records, const Scanner& scanner)
      : info_(std::move(info)),
        where_(std::move(records.where)),
        layout_(layout),
        doubles_(records.doubles),
        tof_sign_(static_cast<float>(tof_sign)),
        bytes_(std::move(records.bytes)),
        crystals_(static_cast<std::uint32_t>(scanner.crystals())) {
    if (layout.lines > 1 || layout.has_interaction()) {
      position_ = scanner.position;
      outward_ = scanner.outward;
      depth_ = static_cast<float>(scanner.depth_mm);
    }
  }

  const ListModeInfo& info() const override { return info_; }
  ListModeCounts counts() const override { return counts_; }
  void rewind() override {
    next_ = 0;
    counts_ = {};
  }
  bool read(std::int64_t most, EventList& out) override {
    while (next_ < *info_.events) {
      const std::int64_t records = std::min(most, *info_.events - next_);
      const bool all = take_all(records, out);
      next_ += records;
      if (!all) drop_left_out(out);
      counts_.prompts += out.size();
      counts_.others += records - out.size();
      if (!out.empty()) return true;
    }
    out.clear();
    return false;
  }

 private:
  static constexpr std::uint32_t left_out = ~std::uint32_t{0};  // in place of an event's first crystal

  /// Reads the next `count` records. Returns whether all of them count.
  bool take_all(std::int64_t count, EventList& out) const {
    make_room(out, static_cast<std::size_t>(count));
    constexpr std::int64_t chunk = 1 << 11;
    std::atomic<std::int64_t> broken{count}, missing{0};
    parallel_chunks(
        count,
        [&](std::int64_t begin, std::int64_t end) {
          try {
            missing += take_some(begin, end, out);
          } catch (const InputError&) {
            for (std::int64_t first = broken; begin < first && !broken.compare_exchange_weak(first, begin);) {
            }
          }
        },
        chunk);
    if (broken < count) take_some(broken, std::min(count, broken + chunk), out);  // throws again: the first error
    return missing == 0;
  }

  void make_room(EventList& out, std::size_t n) const {
    const auto sized = [n](auto& array, bool held) { array.resize(held ? n : 0); };
    sized(out.crystal1, true);
    sized(out.crystal2, true);
    sized(out.time_ms, layout_.time);
    sized(out.end1, !position_.empty());
    sized(out.end2, !position_.empty());
    sized(out.acf, layout_.acf);
    sized(out.kind, layout_.kind);
    sized(out.scatter_rate, layout_.scatter);
    sized(out.random_rate, layout_.random);
    sized(out.norm, layout_.norm);
    sized(out.dt_ps, layout_.tof);
  }

  /// Reads these records. Returns the number of those that do not count.
  std::int64_t take_some(std::int64_t begin, std::int64_t end, EventList& out) const {
    const std::int64_t size = layout_.bytes(doubles_ ? 8 : 4);
    std::vector<std::byte> bytes(static_cast<std::size_t>((end - begin) * size));
    bytes_->read((next_ + begin) * size, bytes);
    std::int64_t missing = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      Record record(bytes.data() + (i - begin) * size, doubles_, next_ + i, where_);
      missing += take(record, static_cast<std::size_t>(i), out) ? 0 : 1;
    }
    return missing;
  }

  /// Decodes an event. False when it does not count.
  bool take(Record& r, std::size_t i, EventList& out) const {
    if (layout_.time) out.time_ms[i] = r.next<std::uint32_t>();
    const float acf = layout_.acf ? r.real("attenuation correction", 0) : 1;
    const auto kind = layout_.kind ? r.next<std::uint8_t>() : std::uint8_t{0};
    if (kind > static_cast<std::uint8_t>(EventKind::random))
      r.fail(fmt::format("coincidence kind {}", kind), "kinds are 0 to 4");
    if (layout_.scatter) out.scatter_rate[i] = r.real("scatter rate", 0);
    if (layout_.random) out.random_rate[i] = r.real("random rate", 0);
    const float norm = layout_.norm ? r.real("normalisation factor", 0) : 1;
    if (layout_.tof) out.dt_ps[i] = tof_sign_ * r.real("time of flight", -1e9f);
    std::array<std::array<float, 2>, 3> depth{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (layout_.interaction[axis])
        for (float& value : depth[axis]) value = r.real("position of interaction", -1e6f);
    const std::int64_t lines = layout_.lines > 1 ? r.next<std::uint16_t>() : 1;
    if (lines < 1 || lines > layout_.lines)
      r.fail(fmt::format("number of lines of {}, but at most {} are allowed", lines, layout_.lines),
             "is the file damaged?");
    if (layout_.interaction[0] || layout_.interaction[1])
      for (const std::size_t axis : {0, 1})
        if (depth[axis][0] != 0 || depth[axis][1] != 0)
          r.fail("position of interaction across the crystal", "only the depth can be used, as in CASToR");
    if (acf == 0 || norm == 0) {  // in CASToR: the pair does not count
      out.crystal1[i] = left_out;
      return false;
    }
    take_pairs(r, lines, depth[2], i, out);
    if (layout_.acf) out.acf[i] = acf;
    if (layout_.kind) out.kind[i] = static_cast<EventKind>(kind);
    if (layout_.norm) out.norm[i] = norm;
    return true;
  }

  /// Replaces several lines of one event (combined neighbours) by the line between their mean ends.
  void take_pairs(Record& r, std::int64_t lines, const std::array<float, 2>& depth, std::size_t event,
                  EventList& out) const {
    Vec3f end1(0), end2(0);
    for (std::int64_t i = 0; i < lines; ++i) {
      const std::uint32_t a = r.crystal(crystals_), b = r.crystal(crystals_);
      if (i == 0) {
        out.crystal1[event] = a;
        out.crystal2[event] = b;
      }
      if (position_.empty()) continue;
      end1 += place(a, depth[0]);
      end2 += place(b, depth[1]);
    }
    if (position_.empty()) return;
    out.end1[event] = end1 / static_cast<float>(lines);
    out.end2[event] = end2 / static_cast<float>(lines);
  }

  /// The position of an interaction. A negative depth means the mean depth.
  Vec3f place(std::uint32_t crystal, float depth) const {
    if (!layout_.interaction[2] || depth < 0) return position_[crystal];
    return position_[crystal] + (depth - depth_) * outward_[crystal];
  }

  static void drop_left_out(EventList& out) {
    EventList kept;
    for (std::size_t i = 0; i < out.crystal1.size(); ++i)
      if (out.crystal1[i] != left_out) kept.append(out, static_cast<std::int64_t>(i), 1);
    out = std::move(kept);
  }

  ListModeInfo info_;
  std::string where_;
  RecordLayout layout_;
  bool doubles_;
  float tof_sign_;
  std::unique_ptr<ByteSource> bytes_;
  std::uint32_t crystals_;
  std::vector<Vec3f> position_, outward_;  ///< only where events need them
  float depth_ = 0;
  ListModeCounts counts_;
  std::int64_t next_ = 0;  ///< record
};

Scanner find_scanner(const fs::path& cdh, const std::string& name, const std::string& given) {
  if (!given.empty()) return load_scanner(given);
  std::error_code none;
  fs::path same = cdh;
  same.replace_extension(".hscan");
  for (const fs::path& candidate :
       {same, cdh.parent_path() / (name + ".hscan"), cdh.parent_path() / (name + ".scanner.toml")})
    if (fs::is_regular_file(candidate, none)) return load_scanner(candidate.string());
  const auto shipped = shipped_scanners();
  if (std::find(shipped.begin(), shipped.end(), name) != shipped.end()) return load_scanner(name);
  throw InputError(cdh.string(), fmt::format("its scanner '{}' is not beside it", name.substr(0, 60)),
                   fmt::format("put {}.hscan and its .lut there, or give `scanner`", name.substr(0, 60)));
}

ListModeInfo read_info(const CastorHeader& header, const RecordLayout& layout) {
  ListModeInfo info;
  info.format = "castor";
  info.scanner_name = header.required_text("Scanner name");
  info.events = header.integer("Number of events", 0, std::int64_t{1} << 48);
  info.start_s = header.number("Start time (s)", 0);
  info.duration_s = header.number("Duration (s)");
  if (!(info.duration_s > 0))
    throw InputError(header.where(), fmt::format("'Duration (s)' is {}", info.duration_s), "rates need a positive one");
  info.calibration = header.number("Calibration factor", 1);
  info.isotope = header.text("Isotope").value_or("");
  if (!layout.tof) return info;
  info.tof_fwhm_ps = header.number("TOF resolution (ps)");
  info.tof_range_ps = header.number("List TOF measurement range (ps)");
  info.tof_bin_ps = header.number("List TOF quantization bin size (ps)", 0);
  if (!(info.tof_fwhm_ps > 0 && info.tof_range_ps > 0))
    throw InputError(header.where(), "TOF resolution and measurement range must be positive", "give both in ps");
  info.tof_bin_ps = std::max(0.0, info.tof_bin_ps);
  return info;
}

bool is_castor(const std::string& front) {
  const std::string text = lower_case(front);
  return text.find("data mode") != std::string::npos && text.find("scanner name") != std::string::npos;
}

ListModeFile open_castor(const fs::path& path, const ListModeOptions& options) {
  const CastorHeader header(path);
  const std::string mode = lower_case(header.required_text("Data mode"));
  if (mode != "list-mode" && mode != "list" && mode != "listmode" && mode != "0")
    throw InputError(path.string(), fmt::format("its data mode is '{}'", mode.substr(0, 40)), "list-mode can be read");
  if (const std::string type = header.text("Data type").value_or("PET"); lower_case(type) != "pet" && type != "0")
    throw InputError(path.string(), fmt::format("its data type is '{}'", type.substr(0, 40)), "PET can be read");
  const RecordLayout layout = read_layout(header);
  ListModeInfo info = read_info(header, layout);
  Records data = open_records(path, header, *info.events, layout);
  ListModeFile file{find_scanner(path, info.scanner_name, options.scanner), nullptr};
  if (header.has("Maximum axial difference mm"))
    file.scanner.coincidence.max_axial_mm = header.number("Maximum axial difference mm");
  if (info.has_tof()) file.scanner.tof_fwhm_ps = info.tof_fwhm_ps;
  file.events = std::make_unique<CastorSource>(std::move(info), layout, options.flip_tof ? -1.0 : 1.0, std::move(data),
                                               file.scanner);
  header.add_to(file);
  return file;
}

}  // namespace

ListFormat castor_format() {
  ListFormat f;
  f.name = "castor";
  f.title = "CASToR list mode";
  f.extensions = f.saved_as = {".cdh"};
  f.recognizes = [](const FileFront& front) { return is_castor(front.bytes); };
  f.open = open_castor;
  f.create = create_castor;
  f.saved_beside = [](const fs::path& cdh) {
    std::vector<fs::path> files;
    for (const char* extension : {".cdf", ".hscan", ".lut"})
      files.push_back(fs::path(cdh).replace_extension(extension));
    return files;
  };
  f.notes = "records in the .cdf, the scanner in .hscan and .lut";
  return f;
}

}  // namespace backlit::formats

namespace backlit {

std::unique_ptr<ListModeSource> load_normalisation(const std::filesystem::path& cdh, const Scanner& scanner) {
  using namespace formats;
  const CastorHeader header(cdh);
  const std::string mode = lower_case(header.required_text("Data mode"));
  if (mode != "normalization" && mode != "normalisation" && mode != "norm" && mode != "2")
    throw InputError(cdh.string(), fmt::format("its data mode is '{}'", mode.substr(0, 40)),
                     "name a header of mode normalization");
  RecordLayout layout;
  layout.acf = header.flag("Attenuation correction flag");
  layout.norm = header.flag("Normalization correction flag");
  layout.lines = header.integer("Maximum number of lines per event", 1, 65535, 1);
  layout.time = false;
  ListModeInfo info;
  info.format = "castor";
  info.scanner_name = header.required_text("Scanner name");
  info.events = header.integer("Number of events", 1, std::int64_t{1} << 48);
  Records records = open_records(cdh, header, *info.events, layout);
  return std::make_unique<CastorSource>(std::move(info), layout, 1.0, std::move(records), scanner);
}

}  // namespace backlit
