// CASToR's scanners: a text header (.hscan) and a table of crystals (.lut).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <backlit/core/error.hpp>
#include <backlit/io/lists/scanner_format.hpp>
#include <backlit/io/output_file.hpp>
#include "io/byte_source.hpp"
#include "io/lists/castor_header.hpp"
#include "io/text_fields.hpp"

namespace backlit::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_crystals = 16'000'000;

fs::path lut_beside(fs::path hscan) { return hscan.replace_extension(".lut"); }

/// The layers of an .hscan: numbers of crystals, and values that are one number for all layers or one for each.
class HscanLayers {
 public:
  HscanLayers(const CastorHeader& header, std::int64_t crystals) : header_(header) {
    const std::int64_t layers = header.integer("number of layers", 1, 64, 1);
    count_ = {crystals};
    if (layers == 1) return;
    const std::string key = "number of crystals in each layer";
    count_ = parse_integers(header.required_text(key), static_cast<std::size_t>(layers), header.where(), key);
    if (*std::min_element(count_.begin(), count_.end()) < 0 ||
        *std::max_element(count_.begin(), count_.end()) > crystals ||
        std::accumulate(count_.begin(), count_.end(), std::int64_t{0}) != crystals)
      throw InputError(header.where(), "its layers do not hold all its crystals", "give the crystals of each layer");
  }
  const std::vector<std::int64_t>& counts() const { return count_; }
  double value(const std::string& key, std::size_t layer, double otherwise) const {
    const auto text = header_.text(key);
    if (!text) return otherwise;
    const auto values = parse_numbers(*text, 0, header_.where(), key);
    if (values.size() != 1 && values.size() != count_.size())
      throw InputError(header_.where(), fmt::format("'{}' holds {} numbers", key, values.size()),
                       fmt::format("give 1, or one for each of {} layers", count_.size()));
    return values.size() == 1 ? values[0] : values[layer];
  }
  /// The distance from a crystal's middle to its mean depth of interaction. A negative depth means the middle.
  double shift(std::int64_t crystal) {
    while (crystal >= end_) {
      const double depth = value("mean depth of interaction", layer_, -1);
      shift_ = depth >= 0 ? depth - 0.5 * value("crystals size depth", layer_, 0) : 0.0;
      end_ += count_[layer_++];
    }
    return shift_;
  }

 private:
  const CastorHeader& header_;
  std::vector<std::int64_t> count_;
  std::size_t layer_ = 0;  ///< shift() is called for crystals in ascending order
  std::int64_t end_ = 0;
  double shift_ = 0;
};

/// Reads our own field of a CASToR header: each layer's share of the photons.
void read_efficiencies(const CastorHeader& header, const HscanLayers& layers, std::vector<float>& efficiency) {
  if (!header.has("layer efficiencies")) return;
  for (std::size_t layer = 0; layer < layers.counts().size(); ++layer) {
    const double value = layers.value("layer efficiencies", layer, 1);
    if (!(value > 0))
      throw InputError(header.where(), fmt::format("a layer efficiency of {}", value), "give a positive number");
    efficiency.insert(efficiency.end(), static_cast<std::size_t>(layers.counts()[layer]), static_cast<float>(value));
  }
}

/// Six floats a crystal: centre (mm) and outward direction. A positive mean depth moves each along its direction.
Scanner load_hscan(const fs::path& path) {
  const CastorHeader header(path);
  if (const auto modality = header.text("modality"); modality && *modality != "PET")
    throw InputError(path.string(), fmt::format("its modality is '{}'", *modality), "scanners of PET can be used");
  Scanner scanner;
  scanner.name = header.required_text("scanner name");
  const std::int64_t crystals = header.integer("number of elements", 1, most_crystals);
  HscanLayers layers(header, crystals);
  scanner.crystal_mm = {layers.value("crystals size transaxial", 0, 0), layers.value("crystals size axial", 0, 0),
                        layers.value("crystals size depth", 0, 0)};
  scanner.coincidence.min_angle_deg = header.number("min angle difference", 0);
  scanner.tof_fwhm_ps = header.number("tof resolution (ps)", 0);
  read_efficiencies(header, layers, scanner.efficiency);
  const double depth = layers.value("mean depth of interaction", 0, -1);
  scanner.depth_mm = depth >= 0 ? depth : 0.5 * scanner.crystal_mm.z;
  const fs::path table = lut_beside(path);
  const auto bytes = open_bytes(table);
  if (bytes->size() != crystals * 24)
    throw InputError(table.string(),
                     fmt::format("is {} bytes long, but {} crystals take {}", bytes->size(), crystals, crystals * 24),
                     fmt::format("{} and it do not belong together", path.filename().string()));
  std::vector<float> values(static_cast<std::size_t>(crystals * 6));
  bytes->read(0, std::as_writable_bytes(std::span(values)));
  for (std::int64_t i = 0; i < crystals; ++i) {
    const float* v = &values[static_cast<std::size_t>(6 * i)];
    const Vec3f center(v[0], v[1], v[2]), outward(v[3], v[4], v[5]);
    const float length = glm::length(outward);
    if (!(glm::dot(center, center) < 1e10f) || !(std::abs(length - 1) < 0.01f))
      throw InputError(table.string(), fmt::format("crystal {} is not a place (mm) and a unit vector", i),
                       "is the table of CASToR's kind: six float32 a crystal?");
    scanner.outward.push_back(outward / length);
    scanner.position.push_back(center + static_cast<float>(layers.shift(i)) * scanner.outward.back());
  }
  return scanner;
}

/// Writes header and table, both or none. Positions are written unchanged, as points of mean interaction.
void save_hscan(const Scanner& scanner, const fs::path& path) {
  const std::int64_t layers = scanner.layout ? scanner.layout->layers() : 1, in_layer = scanner.crystals() / layers;
  std::string text = fmt::format(
      "modality: PET\nscanner name: {}\nnumber of elements: {}\nnumber of layers: {}\n"
      "number of crystals in each layer: {}\nmin angle difference: {}\n"
      "crystals size transaxial: {}\ncrystals size axial: {}\ncrystals size depth: {}\n"
      "mean depth of interaction: -1\n",
      scanner.name, scanner.crystals(), layers, fmt::join(std::vector(static_cast<std::size_t>(layers), in_layer), ","),
      scanner.coincidence.min_angle_deg, scanner.crystal_mm.x, scanner.crystal_mm.y, scanner.crystal_mm.z);
  if (scanner.tof_fwhm_ps > 0) text += fmt::format("TOF resolution (ps): {}\n", scanner.tof_fwhm_ps);
  if (!scanner.efficiency.empty()) {
    std::vector<float> values;
    for (std::int64_t layer = 0; layer < layers; ++layer)
      values.push_back(scanner.efficiency[static_cast<std::size_t>(layer * in_layer)]);
    text += fmt::format("layer efficiencies: {}\n", fmt::join(values, ","));
  }
  OutputFile header(path), table(lut_beside(path));
  header.write(std::string_view(text));
  std::vector<float> rows;
  for (std::size_t i = 0; i < scanner.position.size(); ++i)
    for (const Vec3f& v : {scanner.position[i], scanner.outward[i]}) rows.insert(rows.end(), {v.x, v.y, v.z});
  table.write(rows);
  header.close();
  table.close();
  table.commit();
  header.commit();
}

bool is_hscan(const FileFront& front) {
  const std::string text = lower_case(front.bytes);
  return text.find("scanner name") != std::string::npos && text.find("number of elements") != std::string::npos;
}

}  // namespace

ScannerFormat castor_scanner_format() {
  ScannerFormat f;
  f.name = "castor";
  f.title = "CASToR scanner";
  f.extensions = f.saved_as = {".hscan"};
  f.recognizes = is_hscan;
  f.load = load_hscan;
  f.save = save_hscan;
  f.saved_beside = [](const fs::path& path) { return std::vector{lut_beside(path)}; };
  f.notes = "with its .lut beside it";
  return f;
}

}  // namespace backlit::formats
