#include "render/gl/transfer_texture.hpp"

namespace backlit::gl {

TransferTexture::TransferTexture(const std::string& label)
    : table_(label, GL_TEXTURE_2D, GL_RGBA32F, entries, 1),
      pairs_(label + ", pairs", GL_TEXTURE_2D, GL_RGBA16F, pair_entries, pair_entries),
      linear_(label, GL_LINEAR, GL_CLAMP_TO_EDGE) {}

void TransferTexture::write(const Classifier& classifier) {
  const auto rgba = classifier.table(entries), pairs = classifier.pairs(pair_entries);
  glTextureSubImage2D(table_.id(), 0, 0, 0, entries, 1, GL_RGBA, GL_FLOAT, rgba.data());
  glTextureSubImage2D(pairs_.id(), 0, 0, 0, pair_entries, pair_entries, GL_RGBA, GL_FLOAT, pairs.data());
  // Value -> 0..1 -> the middles of the first and the last entry.
  const double width = classifier.high() - classifier.low(), n = entries;
  const double scale = (n - 1) / n / width;
  boxes_ = classifier.boxes();
  scale_ = {static_cast<float>(scale), static_cast<float>(0.5 / n - scale * classifier.low())};
}

void TransferTexture::bind(Program& program) const {
  table_.bind(2);
  linear_.bind(2);
  pairs_.bind(6);
  linear_.bind(6);
  program.set("transfer_scale", scale_[0], scale_[1]);
  program.set("boxes", static_cast<int>(boxes_.size()));
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Classifier::Box& b = boxes_[i];
    const auto set = [&](const char* name, double x, double y, double z, double w) {
      program.set((std::string(name) + "[" + std::to_string(i) + "]").c_str(), static_cast<float>(x),
                  static_cast<float>(y), static_cast<float>(z), static_cast<float>(w));
    };
    set("box_ranges", b.low, b.high, b.gradient_low, b.gradient_high);
    set("box_colors", b.color.x, b.color.y, b.color.z, b.extinction);
  }
}

void TransferTexture::unbind() const {
  for (const GLuint unit : {2u, 6u}) glBindSampler(unit, 0);
}

}  // namespace backlit::gl
