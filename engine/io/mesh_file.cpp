#include <backlit/io/mesh_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include <backlit/core/error.hpp>
#include <backlit/io/file_format.hpp>
#include <backlit/io/output_file.hpp>

namespace backlit {
namespace {

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Writes `bytes` to the file when they are at least `least`, and empties `bytes`.
void flush(OutputFile& file, std::string& bytes, std::size_t least) {
  if (bytes.size() < least) return;
  file.write(std::string_view(bytes));
  bytes.clear();
}

constexpr std::size_t batch = 1 << 20;

void write_stl(const Mesh& mesh, OutputFile& file, const std::string& where) {
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
    throw InputError(where, "has more triangles than STL can count", "save it as .ply");
  std::string bytes = "Backlit surface, mm";
  bytes.resize(80, ' ');
  append(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    const glm::vec3 &a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]], &c = mesh.vertices[triangle[2]];
    const Vec3 across = glm::cross(Vec3(b - a), Vec3(c - a));
    const double length = glm::length(across);
    append(bytes, glm::vec3(length > 0 ? across / length : Vec3(0)));
    for (const glm::vec3& vertex : {a, b, c}) append(bytes, vertex);
    append(bytes, std::uint16_t{0});
    flush(file, bytes, batch);
  }
  flush(file, bytes, 1);
}

void write_ply(const Mesh& mesh, OutputFile& file) {
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment Backlit surface, mm\nelement vertex {}\nproperty float x\n"
      "property float y\nproperty float z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  for (const glm::vec3& vertex : mesh.vertices) {
    append(bytes, vertex);
    flush(file, bytes, batch);
  }
  for (const auto& triangle : mesh.triangles) {
    append(bytes, std::uint8_t{3});
    append(bytes, triangle);
    flush(file, bytes, batch);
  }
  flush(file, bytes, 1);
}

}  // namespace

std::vector<std::string> mesh_extensions() { return {".stl", ".ply"}; }

void save_mesh(const Mesh& mesh, const std::filesystem::path& path) {
  if (!has_extension(path, mesh_extensions()))
    throw InputError(path.string(), fmt::format("no format for surfaces is called '{}'", path.extension().string()),
                     fmt::format("use {}", fmt::join(mesh_extensions(), ", ")));
  OutputFile file(path);
  if (has_extension(path, {".stl"}))
    write_stl(mesh, file, path.string());
  else
    write_ply(mesh, file);
  file.commit();
}

}  // namespace backlit
