// A transfer function as shaders read it (shaders/render/transfer.glsl).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <backlit/render/transfer_function.hpp>
#include "gl/handles.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

class TransferTexture {
 public:
  static constexpr std::int64_t entries = 1024, pair_entries = 256;

  TransferTexture() = default;
  explicit TransferTexture(const std::string& label);
  /// Uploads the tables (16 KiB and 512 KiB).
  void write(const Classifier&);
  /// Binds texture units 2 and 6 with a linear sampler that clamps, and sets `transfer_scale` and the boxes of
  /// the program.
  void bind(Program&) const;
  void unbind() const;

 private:
  Texture table_, pairs_;
  Sampler linear_;
  std::array<float, 2> scale_{1, 0};
  std::vector<Classifier::Box> boxes_;
};

}  // namespace backlit::gl
