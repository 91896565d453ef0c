// Turns a shader's name into text for the compiler (includes, defines), and the compiler's line numbers into places.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backlit::gl {

/// Injected after #version, in order: {"VIEWS", "8"}.
using Defines = std::vector<std::pair<std::string, std::string>>;

/// Files of shaders/ that do the same in different variants share a folder, as shared/beam/cone.glsl and
/// shared/beam/parallel.glsl do. A shader includes one of them. A file listed here replaces any included file of its
/// folder. Only folders within a folder of shaders/ hold such files.
using Choices = std::vector<std::string>;

struct ShaderText {
  std::string text;
  std::vector<std::string> files;  ///< in the order in which they begin in `text`

  /// Rewrites a compiler's log: "file:line: " in place of Mesa's "0:12(5): " and NVIDIA's "0(12) : ".
  std::string explain(const std::string& log) const;
};

/// Returns the text of a file of shaders/ by its path there, or nothing.
using ShaderReader = std::function<std::optional<std::string>(const std::string& path)>;

/// Reads the file from the folder that BACKLIT_SHADER_DIR names, if it is there, else the text embedded at build time.
std::optional<std::string> read_shader(const std::string& path);

/// Resolves `#include "shared/file.glsl"` (paths from shaders/, each file once). The first line must be #version.
/// Throws Failure naming file and line when a file is missing.
ShaderText shader_text(const std::string& path, const Defines& = {}, const Choices& = {},
                       const ShaderReader& = read_shader);

}  // namespace backlit::gl
