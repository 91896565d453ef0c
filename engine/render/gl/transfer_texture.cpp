#include "render/gl/transfer_texture.hpp"

namespace backlit::gl {

TransferTexture::TransferTexture(const std::string& label)
    : table_(label, GL_TEXTURE_2D, GL_RGBA32F, entries, 1), linear_(label, GL_LINEAR, GL_CLAMP_TO_EDGE) {}

void TransferTexture::write(const Classifier& classifier) {
  const auto rgba = classifier.table(entries);
  glTextureSubImage2D(table_.id(), 0, 0, 0, entries, 1, GL_RGBA, GL_FLOAT, rgba.data());
  // Value -> 0..1 -> the middles of the first and the last entry.
  const double width = classifier.high() - classifier.low(), n = entries;
  const double scale = (n - 1) / n / width;
  scale_ = {static_cast<float>(scale), static_cast<float>(0.5 / n - scale * classifier.low())};
}

void TransferTexture::bind(Program& program) const {
  table_.bind(2);
  linear_.bind(2);
  program.set("transfer_scale", scale_[0], scale_[1]);
}

}  // namespace backlit::gl
