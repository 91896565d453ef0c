// A Zarr array on disk, of version 2 or 3: what its metadata say, and its chunks.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "io/sample_type.hpp"
#include "io/volumes/zarr/codecs.hpp"

namespace backlit::zarr {

/// The JSON of a small file; `where` names it in errors. Throws InputError.
nlohmann::json read_json(const std::filesystem::path&);

/// Three axes, the last one fastest: z, y, x. Axes in front of them must have length 1; missing ones have it.
class Array {
 public:
  /// Whether a folder holds the metadata of an array.
  static bool is_array(const std::filesystem::path& folder);
  /// Throws InputError for metadata that are damaged or of a kind that is not read.
  explicit Array(std::filesystem::path folder);

  const std::array<std::int64_t, 3>& shape() const { return shape_; }
  const std::array<std::int64_t, 3>& chunk() const { return chunk_; }
  std::size_t dimensions() const { return dimensions_; }
  SampleType type() const { return samples_.type; }

  /// Reads the planes of one layer of chunks along z: those from layer * chunk()[0] on. `out` holds that many planes,
  /// as far as they exist. Chunks that are not on the disk have the fill value. Throws InputError.
  void read_layer(std::int64_t layer, std::span<float> out) const;

 private:
  void parse_2(const nlohmann::json&);
  void parse_3(const nlohmann::json&);
  void set_shape(const nlohmann::json& shape, const nlohmann::json& chunks);
  void check_size() const;
  std::filesystem::path chunk_file(const std::array<std::int64_t, 3>& index) const;
  void read_chunk(const std::array<std::int64_t, 3>& index, std::span<float> layer) const;

  std::filesystem::path folder_;
  std::string where_;
  std::size_t dimensions_ = 3;
  std::array<std::int64_t, 3> shape_{1, 1, 1}, chunk_{1, 1, 1};
  SampleFormat samples_;
  Codec codec_ = Codec::none;
  float fill_ = 0;
  std::string_view prefix_;           ///< of the names of chunks: "c" in version 3
  std::string_view separator_ = ".";  ///< between it and their numbers
};

}  // namespace backlit::zarr
