// CASToR list mode: a text header (.cdh) and records of one size (.cdf), each with the crystals and its own
// corrections.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "io/castor_header.hpp"
#include "io/list_mode_formats.hpp"
#include "io/scanner_file.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

/// Which optional fields a record holds, in the order of the file.
struct RecordLayout {
  bool acf = false, kind = false, scatter = false, random = false, norm = false, tof = false;
  std::array<bool, 3> interaction{};  ///< positions of interaction: radial, tangential, depth
  std::int64_t lines = 1;             ///< most crystal pairs an event may have

  bool has_interaction() const { return interaction[0] || interaction[1] || interaction[2]; }
  /// With real numbers of `real` bytes: CASToR can be built with float or double.
  std::int64_t bytes(std::int64_t real) const {
    const std::int64_t reals =
        acf + scatter + random + norm + tof + 2 * (interaction[0] + interaction[1] + interaction[2]);
    return 4 + reals * real + (kind ? 1 : 0) + (lines > 1 ? 2 : 0) + 8 * lines;
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
  if (const auto text = header.text("POI capability")) {  // a resolution each way; negative: not there
    const auto resolution = parse_numbers(*text, 3, header.where(), "POI capability");
    for (std::size_t i = 0; i < 3; ++i) layout.interaction[i] = resolution[i] >= 0;
  }
  return layout;
}

class CastorSource final : public ListModeSource {
 public:
  CastorSource(ListModeInfo info, std::string where, const RecordLayout& layout, bool doubles, double tof_sign,
               RecordStream records, const Scanner& scanner)
      : info_(std::move(info)),
        where_(std::move(where)),
        layout_(layout),
        doubles_(doubles),
        tof_sign_(tof_sign),
        records_(std::move(records)),
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
    records_.rewind();
    counts_ = {};
  }
  bool read(std::int64_t most, EventList& out) override {
    out.clear();
    while (out.size() < most) {
      event_ = records_.position();
      at_ = records_.next();
      if (!at_) break;
      take(out);
    }
    return !out.empty();
  }

 private:
  template <class T>
  T next() {
    const T value = load_number<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  float real(const char* name, float least) {
    const double value = doubles_ ? next<double>() : static_cast<double>(next<float>());
    if (!(value >= static_cast<double>(least) && value < 1e30))
      fail(fmt::format("{} of {}", name, value), "is the header that of another list?");
    return static_cast<float>(value);
  }
  [[noreturn]] void fail(const std::string& problem, const char* remedy) const {
    throw InputError(where_, fmt::format("event {} has a {}", event_, problem), remedy);
  }
  std::uint32_t crystal() {
    const auto id = next<std::uint32_t>();
    if (id >= crystals_)
      fail(fmt::format("crystal {}, but the scanner has {}", id, crystals_), "is it the right scanner?");
    return id;
  }

  void take(EventList& out) {
    const auto time = next<std::uint32_t>();
    const float acf = layout_.acf ? real("attenuation correction", 0) : 1;
    const auto kind = layout_.kind ? std::to_integer<std::uint8_t>(*at_++) : std::uint8_t{0};
    if (kind > static_cast<std::uint8_t>(EventKind::random))
      fail(fmt::format("coincidence kind {}", kind), "kinds are 0 to 4");
    const float scatter = layout_.scatter ? real("scatter rate", 0) : 0;
    const float random = layout_.random ? real("random rate", 0) : 0;
    const float norm = layout_.norm ? real("normalisation factor", 0) : 1;
    const float dt = layout_.tof ? real("time of flight", -1e9f) : 0;
    std::array<std::array<float, 2>, 3> depth{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (layout_.interaction[axis])
        for (float& value : depth[axis]) value = real("position of interaction", -1e6f);
    const std::int64_t lines = layout_.lines > 1 ? next<std::uint16_t>() : 1;
    if (lines < 1 || lines > layout_.lines)
      fail(fmt::format("number of lines of {}, but at most {} are allowed", lines, layout_.lines),
           "is the file damaged?");
    if (layout_.interaction[0] || layout_.interaction[1])
      for (const std::size_t axis : {0, 1})
        if (depth[axis][0] != 0 || depth[axis][1] != 0)
          fail("position of interaction across the crystal", "only the depth can be used, as in CASToR");
    if (acf == 0 || norm == 0) {  // CASToR's way to say that the pair does not count
      ++counts_.others;
      return;
    }
    take_pairs(lines, depth[2], out);
    out.time_ms.push_back(time);
    if (layout_.acf) out.acf.push_back(acf);
    if (layout_.kind) out.kind.push_back(static_cast<EventKind>(kind));
    if (layout_.scatter) out.scatter_rate.push_back(scatter);
    if (layout_.random) out.random_rate.push_back(random);
    if (layout_.norm) out.norm.push_back(norm);
    if (layout_.tof) out.dt_ps.push_back(static_cast<float>(tof_sign_) * dt);
    ++counts_.prompts;
  }

  /// Several lines of one event (neighbours mashed together) become the line between their mean ends.
  void take_pairs(std::int64_t lines, const std::array<float, 2>& depth, EventList& out) {
    Vec3f end1(0), end2(0);
    for (std::int64_t i = 0; i < lines; ++i) {
      const std::uint32_t a = crystal(), b = crystal();
      if (i == 0) {
        out.crystal1.push_back(a);
        out.crystal2.push_back(b);
      }
      if (position_.empty()) continue;
      end1 += place(a, depth[0]);
      end2 += place(b, depth[1]);
    }
    if (position_.empty()) return;
    out.end1.push_back(end1 / static_cast<float>(lines));
    out.end2.push_back(end2 / static_cast<float>(lines));
  }

  /// A negative depth asks for the mean one.
  Vec3f place(std::uint32_t crystal, float depth) const {
    if (!layout_.interaction[2] || depth < 0) return position_[crystal];
    return position_[crystal] + (depth - depth_) * outward_[crystal];
  }

  ListModeInfo info_;
  std::string where_;
  RecordLayout layout_;
  bool doubles_;
  double tof_sign_;
  RecordStream records_;
  std::uint32_t crystals_;
  std::vector<Vec3f> position_, outward_;  ///< only where events need them
  float depth_ = 0;
  ListModeCounts counts_;
  const std::byte* at_ = nullptr;  ///< within the present record
  std::int64_t event_ = 0;
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
                   fmt::format("put {}.hscan and its .lut there, or give --scanner", name.substr(0, 60)));
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

}  // namespace

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
  const fs::path data = path.parent_path() / header.required_text("Data filename");
  auto bytes = open_bytes(data);
  const std::int64_t events = *info.events, size = bytes->size();
  const bool doubles = size != events * layout.bytes(4) && size == events * layout.bytes(8);
  if (!doubles && size != events * layout.bytes(4))
    throw InputError(data.string(),
                     fmt::format("is {} bytes long, but {} events of {} bytes are {}", size, events, layout.bytes(4),
                                 events * layout.bytes(4)),
                     "the header's number of events or flags are wrong, or the file is cut off");
  ListModeFile file{find_scanner(path, info.scanner_name, options.scanner), nullptr};
  if (header.has("Maximum axial difference mm"))
    file.scanner.coincidence.max_axial_mm = header.number("Maximum axial difference mm");
  if (info.has_tof()) file.scanner.tof_fwhm_ps = info.tof_fwhm_ps;
  file.events = std::make_unique<CastorSource>(
      std::move(info), data.string(), layout, doubles, options.flip_tof ? -1.0 : 1.0,
      RecordStream(std::move(bytes), 0, layout.bytes(doubles ? 8 : 4), events), file.scanner);
  return file;
}

}  // namespace backlit::formats
