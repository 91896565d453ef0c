#include "gl/program.hpp"

#include <fmt/format.h>

#include <vector>

#include <backlit/core/error.hpp>

namespace backlit::gl {
namespace {

GLenum stage_of(const std::string& path) {
  if (path.ends_with(".vert")) return GL_VERTEX_SHADER;
  if (path.ends_with(".geom")) return GL_GEOMETRY_SHADER;
  if (path.ends_with(".frag")) return GL_FRAGMENT_SHADER;
  if (path.ends_with(".comp")) return GL_COMPUTE_SHADER;
  throw Failure(path, "not a shader", "name it .vert, .geom, .frag or .comp");
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

struct ShaderKind {
  static void destroy(GLuint id) { glDeleteShader(id); }
};

/// One compiled stage, only alive while its program is linked.
class Shader : public Handle<ShaderKind> {
 public:
  Shader(const std::string& path, const Defines& defines, const Choices& choices, const ShaderReader& read)
      : Handle(glCreateShader(stage_of(path)), GL_SHADER, path) {
    const ShaderText source = shader_text(path, defines, choices, read);
    const char* text = source.text.c_str();
    glShaderSource(id(), 1, &text, nullptr);
    glCompileShader(id());
    GLint ok = 0, length = 0;
    glGetShaderiv(id(), GL_COMPILE_STATUS, &ok);
    if (ok) return;
    glGetShaderiv(id(), GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetShaderInfoLog(id(), length, nullptr, log.data());
    throw Failure(fmt::format("shader {}", path), source.explain(trimmed(log)));
  }
};

}  // namespace

Program::Program(const std::string& label, std::span<const std::string> paths, const Defines& defines,
                 const Choices& choices, const ShaderReader& read)
    : Handle(glCreateProgram(), GL_PROGRAM, label) {
  std::vector<Shader> shaders;
  for (const auto& path : paths) {
    shaders.emplace_back(path, defines, choices, read);
    glAttachShader(id(), shaders.back().id());
  }
  glLinkProgram(id());
  for (const auto& shader : shaders) glDetachShader(id(), shader.id());
  GLint ok = 0, length = 0;
  glGetProgramiv(id(), GL_LINK_STATUS, &ok);
  if (ok) return;
  glGetProgramiv(id(), GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetProgramInfoLog(id(), length, nullptr, log.data());
  throw Failure(fmt::format("program {}", label), trimmed(log));
}

GLint Program::location(const char* name) {
  const auto [entry, is_new] = locations_.try_emplace(name, -1);
  if (is_new) entry->second = glGetUniformLocation(id(), name);
  return entry->second;
}

}  // namespace backlit::gl
