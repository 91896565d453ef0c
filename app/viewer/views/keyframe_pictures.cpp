#include "views/keyframe_pictures.hpp"

#include <imgui.h>

#include <algorithm>

namespace backlit::viewer {

bool KeyframePictures::same(const Picture& p, std::int64_t generation, const std::vector<SurfaceLook>& looks) {
  return p.generation == generation &&
         std::ranges::equal(p.looks, looks, [](const SurfaceLook& a, const SurfaceLook& b) {
           return a.opacity == b.opacity && a.look.finish == b.look.finish && same_found(a.look, b.look);
         });
}

void KeyframePictures::update(Frame& frame) {
  const auto& cameras = frame.next.keyframes;
  pictures_.resize(cameras.size());
  if (!frame.has_volume() || frame.model.playing()) return;
  const std::int64_t generation = frame.front.generation;
  for (std::size_t i = 0; i < cameras.size(); ++i) {
    auto looks = looks_from(frame, frame.next, cameras[i], width, height);
    Picture& picture = pictures_[i];
    if (same(picture, generation, looks)) continue;
    // A picture that moved to another place in the path is still right; those before are in their places.
    const auto moved = std::find_if(pictures_.begin() + static_cast<std::ptrdiff_t>(i) + 1, pictures_.end(),
                                    [&](const Picture& p) { return same(p, generation, looks); });
    if (moved != pictures_.end()) {
      std::swap(picture, *moved);
      continue;
    }
    if (ImGui::IsAnyMouseDown()) return;
    frame.again();
    const auto image = still_.approach(frame, frame.next, cameras[i], width, height);
    if (!image) return;
    picture = {generation, std::move(looks), gl::Texture("key frame", GL_TEXTURE_2D, GL_RGBA8, width, height)};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(picture.texture.id(), 0, 0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height),
                        GL_RGB, GL_UNSIGNED_BYTE, image->pixels.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    return;
  }
}

const gl::Texture* KeyframePictures::of(std::size_t keyframe) const {
  return keyframe < pictures_.size() && pictures_[keyframe].texture ? &pictures_[keyframe].texture : nullptr;
}

}  // namespace backlit::viewer
