// From the name of a shader to the text a compiler takes: includes, defines, and the way back from its line numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backlit::gl {

/// Injected after #version, in order: {"VIEWS", "8"}.
using Defines = std::vector<std::pair<std::string, std::string>>;

/// Files of shaders/ that do the same in different ways share a folder, as in shared/beam/cone.glsl and
/// shared/beam/parallel.glsl, and a shader includes one of them. A file listed here is taken in place of whatever file
/// of its folder is included. Only folders within a folder of shaders/ hold such files.
using Choices = std::vector<std::string>;

struct ShaderText {
  std::string text;
  std::vector<std::string> files;  ///< in the order in which they begin in `text`

  /// A compiler's log with "file:line: " in place of Mesa's "0:12(5): " and NVIDIA's "0(12) : ".
  std::string explain(const std::string& log) const;
};

/// The text of a file of shaders/ by its path there, or nothing.
using ShaderReader = std::function<std::optional<std::string>(const std::string& path)>;

/// From the folder BACKLIT_SHADER_DIR names, if it has the file, else as embedded at build time.
std::optional<std::string> read_shader(const std::string& path);

/// Resolves `#include "shared/file.glsl"` (paths from shaders/, each file once). The first line must be #version.
/// Throws Failure naming file and line when a file is missing.
ShaderText shader_text(const std::string& path, const Defines& = {}, const Choices& = {},
                       const ShaderReader& = read_shader);

}  // namespace backlit::gl
