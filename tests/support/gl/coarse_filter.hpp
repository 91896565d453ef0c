// Views filtered with 8-bit weights, as on graphics cards but not in llvmpipe: shows their effect without a card.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gl/shader_text.hpp"
#include "support/scratch.hpp"

namespace backlit::gl {

/// While it exists, new programs sample views at positions rounded to 256ths of a pixel.
class CoarseFilter {
 public:
  CoarseFilter() {
    const std::string path = "shared/sample/hardware.glsl";
    const std::string text = "#define sample_view sample_view_there\n" + read_shader(path).value() + R"(
#undef sample_view
float sample_view(sampler2DArray views, vec2 position, vec2 scale, float layer) {
  vec2 size = vec2(textureSize(views, 0).xy);
  position = (floor((position * size - 0.5) * 256.0 + 0.5) / 256.0 + 0.5) / size;
  return sample_view_there(views, position, scale, layer);
}
)";
    std::filesystem::create_directories(folder_ / "shared/sample");
    std::ofstream(folder_ / path) << text;
    if (const char* other = std::getenv("BACKLIT_SHADER_DIR")) before_ = other;
    setenv("BACKLIT_SHADER_DIR", folder_.path().c_str(), 1);
  }
  ~CoarseFilter() {
    unsetenv("BACKLIT_SHADER_DIR");
    if (!before_.empty()) setenv("BACKLIT_SHADER_DIR", before_.c_str(), 1);
  }
  CoarseFilter(const CoarseFilter&) = delete;
  CoarseFilter& operator=(const CoarseFilter&) = delete;

 private:
  test::Scratch folder_;
  std::string before_;
};

}  // namespace backlit::gl
