// Linked shader programs.
#pragma once

#include <span>
#include <string>
#include <unordered_map>

#include <glm/vec3.hpp>

#include "gl/handles.hpp"
#include "gl/shader_text.hpp"

namespace backlit::gl {

struct ProgramKind {
  static void destroy(GLuint id) { glDeleteProgram(id); }
};

/// The extension of a file gives its stage: .vert .geom .frag .comp. All stages get the same defines and choices.
class Program : public Handle<ProgramKind> {
 public:
  Program() = default;
  /// Throws Failure with file and line of the compiler's first error.
  Program(const std::string& label, std::span<const std::string> paths, const Defines& = {}, const Choices& = {},
          const ShaderReader& = read_shader);
  Program(const std::string& label, std::initializer_list<std::string> paths, const Defines& defines = {},
          const Choices& choices = {}, const ShaderReader& read = read_shader)
      : Program(label, std::span(paths.begin(), paths.size()), defines, choices, read) {}

  void use() const { glUseProgram(id()); }
  // Uniforms by name. A name that the compiler removed as unused is ignored.
  void set(const char* name, int value) { glProgramUniform1i(id(), location(name), value); }
  void set(const char* name, int x, int y) { glProgramUniform2i(id(), location(name), x, y); }
  void set(const char* name, float value) { glProgramUniform1f(id(), location(name), value); }
  void set(const char* name, float x, float y) { glProgramUniform2f(id(), location(name), x, y); }
  void set(const char* name, float x, float y, float z, float w) {
    glProgramUniform4f(id(), location(name), x, y, z, w);
  }
  void set(const char* name, float x, float y, float z) { glProgramUniform3f(id(), location(name), x, y, z); }
  void set(const char* name, const glm::dvec3& v) {
    set(name, static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z));
  }

 private:
  GLint location(const char* name);

  std::unordered_map<std::string, GLint> locations_;
};

}  // namespace backlit::gl
