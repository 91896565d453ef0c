// Animated PNG files (APNG, part of the PNG specification's third edition). The later frames are chunks that old
// readers skip: old readers show the first frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include <backlit/core/atomic_file.hpp>
#include <backlit/render/image.hpp>

namespace backlit {

/// A file that receives its frames one after another. It appears complete or not at all.
class AnimatedPng {
 public:
  /// `frames` pictures, played endlessly at `frames_per_second`. Throws InputError when the folder is not writable.
  AnimatedPng(const std::filesystem::path&, std::int64_t frames, double frames_per_second);
  /// Throws InputError when a picture has another size than the first.
  void add(const Image&);
  /// Throws Failure when frames are missing or the file cannot be written.
  void commit();

 private:
  void write_chunk(const char* type, const std::string& data);
  std::string frame_control();

  std::string where_;
  AtomicFile file_;
  std::ofstream out_;
  std::int64_t frames_, added_ = 0, width_ = 0, height_ = 0;
  double frames_per_second_;
  std::uint32_t sequence_ = 0;  ///< number of the next frame control or frame data chunk
};

}  // namespace backlit
