// Surfaces as files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <backlit/data/mesh.hpp>

namespace backlit {

/// Writes binary STL (.stl; lengths in mm, vertices repeated in each triangle) or binary PLY (.ply, vertices shared),
/// by extension. The file appears complete or not at all. Throws InputError for another extension, and for .stl with
/// more than 4 thousand million triangles. Throws Failure when the file cannot be written.
void save_mesh(const Mesh&, const std::filesystem::path&);

/// Extensions that save_mesh() takes, with the dot.
std::vector<std::string> mesh_extensions();

}  // namespace backlit
