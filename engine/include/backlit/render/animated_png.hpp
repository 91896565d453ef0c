// Animated PNG files (APNG, part of the PNG specification's third edition): a PNG whose later frames are chunks that
// old readers skip, so that these show the first frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

/// Frames are written as they come. Appears complete or not at all.
class AnimatedPng {
 public:
  /// `frames` pictures, played endlessly at `frames_per_second`. Throws InputError when the place cannot be written.
  AnimatedPng(const std::filesystem::path&, std::int64_t frames, double frames_per_second);
  /// Throws InputError when a picture has another size than the first.
  void add(const Image&);
  /// Throws Failure when frames are missing or the disk did not take all.
  void commit();

 private:
  void write_chunk(const char* type, const std::string& data);
  std::string frame_control();

  std::string where_;
  AtomicFile file_;
  std::ofstream out_;
  std::int64_t frames_, added_ = 0, width_ = 0, height_ = 0;
  double frames_per_second_;
  std::uint32_t sequence_ = 0;  ///< of frame control and frame data chunks
};

}  // namespace backlit
