// Sinograms of STIR: an Interfile header (.hs) beside counts of bins. They are read as a list: a bin of n counts
// becomes n events. Thielemans et al., Phys. Med. Biol. 57 (2012) 867; bins, detectors and rings are those of
// ProjDataInfoCylindricalNoArcCorr, coordinates those of LORAs2Points and timing positions those of ProjMatrixByBin in
// STIR 6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/list_format.hpp>
#include <backlit/io/lists/scanner_file.hpp>
#include "io/byte_source.hpp"
#include "io/lists/interfile.hpp"
#include "io/sample_type.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;
using RingPair = std::array<std::int64_t, 2>;

/// All bins of one view and one tangential position that lie in a row of the file: an axial position of a segment.
struct Plane {
  std::vector<RingPair> rings;  ///< that the bin adds up
  std::int64_t first = 0;       ///< the plane's value of view 0 in the file
  std::int64_t per_view = 0;    ///< values from there to the next view's
};

struct Sinogram {
  std::int64_t projections = 0, views = 0, timings = 1, rings = 0, detectors = 0;
  std::int64_t furthest = 0;  ///< the largest difference of rings
  std::int64_t values = 0;    ///< of one timing position
  double tof_bin_ps = 0;      ///< between timing positions; 0: they are added up
  double tof_fwhm_ps = 0;
  std::vector<Plane> planes;
  SampleFormat format;

  std::int64_t mashing() const { return detectors / 2 / views; }
};

SampleFormat sample_format(Interfile& header) {
  const std::string kind = header.word("number format", "float", "type of the counts"),
                    order = header.word("imagedata byte order", "", "order of their bytes");
  const std::int64_t bytes = header.count("number of bytes per pixel", "bytes of a count", 8);
  const bool is_float = kind == "float" || kind == "short float", is_signed = kind == "signed integer";
  SampleFormat f;
  f.big_endian = order == "bigendian";
  if (is_float && bytes == 4)
    f.type = SampleType::f32;
  else if (kind == "long float" && bytes == 8)
    f.type = SampleType::f64;
  else if ((is_signed || kind == "unsigned integer") && (bytes == 2 || bytes == 4))
    f.type =
        bytes == 2 ? (is_signed ? SampleType::i16 : SampleType::u16) : (is_signed ? SampleType::i32 : SampleType::u32);
  else
    throw InputError(header.where(), fmt::format("its numbers are '{}' of {} bytes", kind, bytes),
                     "floats and integers of 2 and 4 bytes can be read");
  return f;
}

/// Pairs of rings at this axial position. Positions are in the middle of the scanner; a segment of several ring
/// differences has two positions a ring.
std::vector<RingPair> ring_pairs(std::int64_t rings, std::int64_t low, std::int64_t high, std::int64_t position,
                                 std::int64_t positions) {
  std::vector<RingPair> pairs;
  const std::int64_t step = low == high ? 2 : 1, sum2 = 2 * (rings - 1) + step * (2 * position - (positions - 1));
  for (std::int64_t a = 0; a < rings; ++a) {
    if (sum2 % 2 != 0) break;
    const std::int64_t b = sum2 / 2 - a;
    if (b >= 0 && b < rings && b - a >= low && b - a <= high) pairs.push_back({a, b});
  }
  return pairs;
}

/// Which axis, from 1 (fastest in the file), has this label.
int axis(Interfile& header, int dimensions, const std::string& label) {
  for (int i = 1; i <= dimensions; ++i)
    if (lower_case(header.text(fmt::format("matrix axis label[{}]", i))) == label) return i;
  throw InputError(header.where(), fmt::format("no axis of its data is labelled '{}'", label),
                   "sinograms of STIR in segments can be read");
}

std::vector<std::int64_t> sizes_of(Interfile& header, int axis, const char* meaning) {
  return header.integers(fmt::format("matrix size[{}]", axis), meaning);
}

std::int64_t size_of(Interfile& header, int axis, const char* meaning, std::int64_t most) {
  return header.count(fmt::format("matrix size[{}]", axis), meaning, most);
}

void read_planes(Interfile& header, int segment_axis, int view_axis, int axial_axis, Sinogram& s) {
  const auto low = header.integers("minimum ring difference per segment", "smallest difference of rings, by segment"),
             high = header.integers("maximum ring difference per segment", "largest difference of rings, by segment"),
             axial = sizes_of(header, axial_axis, "axial positions, by segment");
  const auto segments = static_cast<std::size_t>(size_of(header, segment_axis, "segments", 4096));
  if (low.size() != segments || high.size() != segments || axial.size() != segments)
    throw InputError(header.where(), fmt::format("{} segments, but {} and {} ring differences and {} axial sizes",
                                                 segments, low.size(), high.size(), axial.size()));
  for (std::size_t i = 0; i < segments; ++i) {
    if (axial[i] < 1 || axial[i] >= 2 * s.rings || low[i] > high[i] || std::abs(low[i]) >= s.rings ||
        std::abs(high[i]) >= s.rings)
      throw InputError(header.where(),
                       fmt::format("segment {} has {} axial positions and ring differences {} to {}, of {} rings", i,
                                   axial[i], low[i], high[i], s.rings));
    s.furthest = std::max({s.furthest, std::abs(low[i]), std::abs(high[i])});
    for (std::int64_t p = 0; p < axial[i]; ++p) {
      Plane plane;
      plane.rings = ring_pairs(s.rings, low[i], high[i], p, axial[i]);
      if (plane.rings.empty())
        throw InputError(header.where(),
                         fmt::format("no two of {} rings lie at axial position {} of segment {}", s.rings, p, i));
      const bool view_slower = view_axis > axial_axis;
      plane.per_view = s.projections * (view_slower ? axial[i] : 1);
      plane.first = s.values + p * s.projections * (view_slower ? 1 : s.views);
      s.planes.push_back(std::move(plane));
    }
    s.values += axial[i] * s.views * s.projections;
  }
}

/// Refuses what is no plain count of coincidences.
void check_kind(Interfile& header) {
  const std::string geometry =
      header.word("scanner geometry (blocksoncylindrical/cylindrical/generic)", "cylindrical", "shape of the scanner");
  if (geometry != "cylindrical")
    throw InputError(header.where(), fmt::format("its scanner is '{}'", geometry), "cylindrical ones can be read");
  std::string done = header.word("applied corrections", "none", "corrections of the counts");
  std::erase_if(done, [](char c) { return c == '{' || c == '}'; });
  done = std::string(trimmed(done));
  if (!done.empty() && done != "none")
    throw InputError(header.where(), fmt::format("its counts are corrected ('{}')", done),
                     "give the sinogram of the measured prompts, not arc corrected");
  for (const char* const scale : {"quantification units", "image scaling factor[1]"})
    if (header.number(scale, 1, "factor of the counts", "") != 1)
      throw InputError(header.where(), fmt::format("'{}' is not 1: its values are no counts", scale));
}

/// Timing positions are events with time of flight where the header says how wide they are and how well times are
/// known.
void read_timings(Interfile& header, Sinogram& s) {
  s.timings = size_of(header, 5, "timing positions", 4096);
  const auto ps = [&](const std::string& name, const std::string& older, const char* meaning) {
    return header.number(header.has(name) ? name : older, 0, meaning, "ps");
  };
  const double bin = ps("size of unmashed tof time bins (ps)", "size of timing bin (ps)", "bin of time of flight"),
               fwhm = ps("tof timing resolution (ps)", "timing resolution (ps)", "time resolution (FWHM)");
  const auto mashed = header.count("tof mashing factor", "bins that a timing position adds up", 4096, 1);
  if (s.timings < 2 || !(bin > 0 && fwhm > 0)) {
    header.fields().note_fact("time of flight", "none: timing positions are added up",
                              "fewer than two of them, or no width of a bin or no time resolution");
    return;
  }
  s.tof_bin_ps = bin * static_cast<double>(mashed);
  s.tof_fwhm_ps = fwhm;
}

Sinogram read_sinogram(Interfile& header) {
  check_kind(header);
  Sinogram s;
  const auto dimensions = static_cast<int>(header.count("number of dimensions", "axes of the data", 5));
  const int segment = axis(header, dimensions, "segment"), view = axis(header, dimensions, "view"),
            axial = axis(header, dimensions, "axial coordinate");
  if (axis(header, dimensions, "tangential coordinate") != 1 || segment != 4)
    throw InputError(header.where(), "its axes are in another order",
                     "tangential coordinates must be the first and segments the fourth");
  if (dimensions == 5) {
    if (axis(header, dimensions, "timing positions") != 5)
      throw InputError(header.where(), "its fifth axis is not 'timing positions'");
    read_timings(header, s);
  }
  s.rings = header.count("number of rings", "rings", 1024);
  s.detectors = header.count("number of detectors per ring", "detectors of a ring", 8192);
  s.projections = size_of(header, 1, "tangential positions", s.detectors);
  s.views = size_of(header, view, "views", s.detectors / 2 > 0 ? s.detectors / 2 : 1);
  if (s.detectors % (2 * s.views) != 0)
    throw InputError(header.where(), fmt::format("{} views of {} detectors a ring", s.views, s.detectors),
                     "half the detectors must be a multiple of the views");
  read_planes(header, segment, view, axial, s);
  s.format = sample_format(header);
  return s;
}

/// Views come in an order that spreads them, so that parts of the list are subsets of views all around the scanner.
class SinogramSource final : public ListModeSource {
 public:
  SinogramSource(std::string where, std::unique_ptr<ByteSource> bytes, std::int64_t offset, Sinogram sinogram,
                 double duration_s, bool flip_tof)
      : where_(std::move(where)),
        bytes_(std::move(bytes)),
        offset_(offset),
        s_(std::move(sinogram)),
        step_ps_(flip_tof ? s_.tof_bin_ps : -s_.tof_bin_ps) {
    info_.format = "stir";
    info_.duration_s = duration_s;
    info_.tof_fwhm_ps = s_.tof_fwhm_ps;
    info_.tof_bin_ps = s_.tof_bin_ps;
    info_.tof_range_ps = s_.tof_bin_ps * static_cast<double>(s_.timings);
    view_step_ = std::max<std::int64_t>(1, std::llround(0.618034 * static_cast<double>(s_.views)));
    while (std::gcd(view_step_, s_.views) != 1) ++view_step_;
    rewind();
  }

  const ListModeInfo& info() const override { return info_; }
  ListModeCounts counts() const override { return counts_; }
  void rewind() override {
    counts_ = {};
    values_.clear();
    view_ = 0, row_ = 0, column_ = s_.projections, left_ = 0, turn_ = 0;
  }
  bool read(std::int64_t most, EventList& out) override {
    out.clear();
    while (out.size() < most) {
      if (left_ == 0 && !next_bin()) break;
      for (; left_ > 0 && out.size() < most; --left_) add_event(out);
    }
    counts_.prompts += out.size();
    return !out.empty();
  }

 private:
  std::int64_t rows() const { return static_cast<std::int64_t>(s_.planes.size()) * s_.timings; }
  const Plane& plane() const {
    return s_.planes[static_cast<std::size_t>(row_ % static_cast<std::int64_t>(s_.planes.size()))];
  }
  std::int64_t view() const { return view_ * view_step_ % s_.views; }
  std::int64_t timing() const { return row_ / static_cast<std::int64_t>(s_.planes.size()); }

  /// Goes to the next bin with counts; false after the last.
  bool next_bin() {
    for (;;) {
      if (++column_ >= s_.projections) {
        if (!next_row()) return false;
        column_ = 0;
      }
      const double value = values_[static_cast<std::size_t>(column_)];
      if (value == 0) continue;
      constexpr double most = 1e7;  // a bin of a long scan holds some thousands
      left_ = value >= -1 && value <= most ? std::llround(value) : -1;
      if (left_ < 0 || !(std::abs(value - static_cast<double>(left_)) <= 1e-3))
        throw InputError(where_, fmt::format("a bin of view {} holds {}, which is no number of counts", view(), value),
                         "give the sinogram of the measured prompts, without corrections");
      if (left_ > 0) return true;
    }
  }

  bool next_row() {
    if (!values_.empty() && ++row_ == rows()) row_ = 0, ++view_;
    if (view_ >= s_.views) return false;
    values_.resize(static_cast<std::size_t>(s_.projections));
    const std::int64_t size = sample_bytes(s_.format.type);
    buffer_.resize(static_cast<std::size_t>(size * s_.projections));
    bytes_->read(offset_ + size * (timing() * s_.values + plane().first + view() * plane().per_view), buffer_);
    convert_samples(buffer_, s_.format, values_);
    return true;
  }

  /// The counts of a bin that adds up several lines go to these in turn.
  void add_event(EventList& out) {
    const auto& rings = plane().rings;
    const std::int64_t pairs = static_cast<std::int64_t>(rings.size()), lines = pairs * s_.mashing(),
                       line = turn_++ % lines;
    const RingPair ring = rings[static_cast<std::size_t>(line % pairs)];
    const auto [a, b] =
        detectors_of_bin(view() * s_.mashing() + line / pairs, column_ - s_.projections / 2, s_.detectors);
    out.crystal1.push_back(static_cast<std::uint32_t>(ring[0] * s_.detectors + a));
    out.crystal2.push_back(static_cast<std::uint32_t>(ring[1] * s_.detectors + b));
    if (info_.has_tof())
      out.dt_ps.push_back(
          static_cast<float>(step_ps_ * (static_cast<double>(timing()) - 0.5 * static_cast<double>(s_.timings - 1))));
  }

  std::string where_;
  std::unique_ptr<ByteSource> bytes_;
  std::int64_t offset_;
  Sinogram s_;
  double step_ps_;  ///< of t1 - t2: a positive timing position lies nearer the first detector
  ListModeInfo info_;
  ListModeCounts counts_;
  std::int64_t view_step_ = 1, view_ = 0, row_ = 0, column_ = 0, left_ = 0, turn_ = 0;
  std::vector<std::byte> buffer_;
  std::vector<double> values_;  ///< of the row, once one has been read
};

/// Detector d lies at x = r sin psi, y = -r cos psi, psi = 360 d / n + the view offset.
Scanner find_scanner(Interfile& header, const Sinogram& s, const std::string& given) {
  if (!given.empty()) {
    Scanner scanner = load_scanner(given);
    if (scanner.crystals() != s.rings * s.detectors)
      throw InputError(
          given,
          fmt::format("has {} crystals, but the sinogram {} rings of {}", scanner.crystals(), s.rings, s.detectors),
          "give the scanner that the sinogram was measured with");
    return scanner;
  }
  RingLayout layout;
  layout.modules = s.detectors;
  layout.module_rings = s.rings;
  layout.face_radius_mm = 0.5 * header.length_mm("inner ring diameter (cm)", "inner diameter");
  layout.mean_depth_mm =
      std::max(0.0, header.number("average depth of interaction (cm)", 0, "depth of interaction", "mm", 10));
  layout.layers_mm = {std::max(20.0, 2 * layout.mean_depth_mm)};
  header.fields().note_fact("depth of a crystal", with_unit(layout.layers_mm[0], "mm"), "assumed: not in the header");
  const double step = 360 / static_cast<double>(s.detectors);
  layout.pitch_mm = 2 * layout.face_radius_mm * std::tan(0.5 * step * radians_per_degree);
  layout.ring_spacing_mm = header.length_mm("distance between rings (cm)", "distance of rings");
  layout.first_deg =
      header.number("view offset (degrees)", 0, "direction of the first view", "degrees") - 90 - 0.5 * step;
  const double reach = step * (0.5 * static_cast<double>(s.projections) + 0.1);
  const Coincidence rule{std::max(0.0, 180 - reach), (static_cast<double>(s.furthest) + 0.1) * layout.ring_spacing_mm};
  return make_ring_scanner(header.word("scanner type", "STIR", "scanner"), layout, rule, header.where());
}

ListModeFile open_stir(const fs::path& path, const ListModeOptions& options) {
  Interfile header(path);
  Sinogram s = read_sinogram(header);
  const fs::path data = path.parent_path() / header.text("name of data file", "counts");
  auto bytes = open_bytes(data);
  const double offset = header.number("data offset in bytes[1]", 0, "first count", "bytes");
  const std::int64_t needed = s.values * s.timings * sample_bytes(s.format.type);
  if (!(offset >= 0 && offset + static_cast<double>(needed) <= static_cast<double>(bytes->size())))
    throw InputError(data.string(), fmt::format("is {} bytes long, its header asks for {}", bytes->size(), needed),
                     "the file is cut off: copy it again");
  ListModeFile file{find_scanner(header, s, options.scanner), nullptr};
  file.scanner.tof_fwhm_ps = s.tof_fwhm_ps;
  const double duration_s = header.number("image duration (sec)[1]", 0, "duration", "s");
  file.events = std::make_unique<SinogramSource>(data.string(), std::move(bytes), static_cast<std::int64_t>(offset),
                                                 std::move(s), duration_s, options.flip_tof);
  header.fields().add_to(file);
  return file;
}

}  // namespace

ListFormat stir_sinogram_format() {
  ListFormat f;
  f.name = "stir";
  f.title = "STIR sinogram";
  f.extensions = {".hs"};
  f.recognizes = [](const FileFront& front) {
    const std::string text = lower_case(front.bytes);
    return text.substr(0, 400).find("!interfile") != std::string::npos &&
           text.find("ring difference per segment") != std::string::npos;
  };
  f.open = open_stir;
  f.notes = "name the header; uncorrected counts of cylindrical scanners, any span, time of flight";
  return f;
}

}  // namespace backlit::formats
