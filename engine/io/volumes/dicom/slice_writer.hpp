// A volume as DICOM CT images: a folder of 0001.dcm, 0002.dcm, ...
#pragma once

#include <filesystem>
#include <string>

#include <backlit/core/atomic_folder.hpp>
#include <backlit/geometry/volume_grid.hpp>
#include <backlit/io/volumes/stack_writer.hpp>

namespace backlit::dicom {

/// Whether a file of this name is one that SliceWriter makes.
bool is_slice_name(const std::filesystem::path& name);

/// CT Image Storage, explicit little-endian, of an unnamed patient lying on the back, head first. Each slice holds 16
/// bits and its own rescale slope and intercept: whole numbers as they are, others to half a step of 1/65535 of the
/// slice's range. Values are taken for HU. Those that are not finite become the slice's smallest.
class SliceWriter final : public StackWriter {
 public:
  /// Throws as AtomicFolder does.
  SliceWriter(const std::filesystem::path&, const VolumeGrid&);

 private:
  void put(std::int64_t first, std::int64_t count, std::span<const float> images) override;
  void finish() override { folder_.commit(); }
  void write_slice(std::int64_t index, std::span<const float> image) const;

  AtomicFolder folder_;
  VolumeGrid grid_;
  std::string study_, series_, frame_;  ///< their UIDs
};

}  // namespace backlit::dicom
