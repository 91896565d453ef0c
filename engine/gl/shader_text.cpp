#include "gl/shader_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include <backlit/core/error.hpp>
#include "gl/shader_source.hpp"

namespace backlit::gl {
namespace {

/// Line numbers include the file's number: Mesa drops the source string number of #line.
constexpr std::size_t lines_per_file = 100000;

/// The path of an include directive, if the line is one.
std::optional<std::string> included(const std::string& line) {
  static const std::regex directive(R"(^\s*#\s*include\s+"([^"]+)\".*)");
  std::smatch match;
  if (!std::regex_match(line, match, directive)) return std::nullopt;
  return match[1].str();
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

class Resolver {
 public:
  Resolver(const Choices& choices, const ShaderReader& read) : choices_(choices), read_(read) {}

  ShaderText run(const std::string& path, const Defines& defines) {
    const auto source = read_(path);
    if (!source) throw Failure(path, "there is no such shader");
    append(path, *source, &defines);
    return std::move(out_);
  }

 private:
  void append(const std::string& path, const std::string& source, const Defines* defines) {
    const std::size_t file = out_.files.size();
    out_.files.push_back(path);
    if (!defines) add_line_directive(1, file);
    std::istringstream lines(source);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (number == 1 && defines) {
        begin(path, line, *defines);
        add_line_directive(2, file);
      } else if (const auto name = included(line)) {
        include(*name, fmt::format("{}:{}", path, number));
        add_line_directive(number + 1, file);
      } else {
        out_.text += line + "\n";
      }
    }
  }

  void begin(const std::string& path, const std::string& line, const Defines& defines) {
    if (!line.starts_with("#version")) throw Failure(path + ":1", "the first line of a shader must be #version");
    out_.text += line + "\n";
    for (const auto& [key, value] : defines) out_.text += fmt::format("#define {} {}\n", key, value);
  }

  const std::string& chosen(const std::string& name) const {
    const auto same_folder = [&](const std::string& choice) { return folder_of(choice) == folder_of(name); };
    const auto found = std::ranges::find_if(choices_, same_folder);
    return found == choices_.end() ? name : *found;
  }

  void include(const std::string& written, const std::string& where) {
    const std::string& name = chosen(written);
    if (std::ranges::find(out_.files, name) != out_.files.end()) return;
    const auto source = read_(name);
    if (!source) throw Failure(where, fmt::format("there is no shader file '{}' to include", name));
    append(name, *source, nullptr);
  }

  void add_line_directive(int line, std::size_t file) {
    out_.text += fmt::format("#line {}\n", file * lines_per_file + static_cast<std::size_t>(line));
  }

  const Choices& choices_;
  const ShaderReader& read_;
  ShaderText out_;
};

}  // namespace

std::string ShaderText::explain(const std::string& log) const {
  static const std::regex place(R"(^\d+(?::(\d+)\(\d+\)|\((\d+)\) ?):\s*(.*))");
  std::istringstream lines(log);
  std::string line, out;
  while (std::getline(lines, line)) {
    std::smatch match;
    if (std::regex_match(line, match, place)) {
      const std::size_t number = std::stoul(match[1].matched ? match[1] : match[2]);
      if (const std::size_t file = number / lines_per_file; file < files.size())
        line = fmt::format("{}:{}: {}", files[file], number % lines_per_file, match[3].str());
    }
    if (!line.empty()) out += (out.empty() ? "" : "; ") + line;
  }
  return out;
}

std::optional<std::string> read_shader(const std::string& path) {
  if (const char* folder = std::getenv("BACKLIT_SHADER_DIR")) {
    std::ifstream file(std::filesystem::path(folder) / path, std::ios::binary);
    if (file) return std::string(std::istreambuf_iterator<char>(file), {});
  }
  for (int i = 0; i < embedded_shader_count; ++i)
    if (path == embedded_shaders[i].path) return embedded_shaders[i].text;
  return std::nullopt;
}

ShaderText shader_text(const std::string& path, const Defines& defines, const Choices& choices,
                       const ShaderReader& read) {
  return Resolver(choices, read).run(path, defines);
}

}  // namespace backlit::gl
