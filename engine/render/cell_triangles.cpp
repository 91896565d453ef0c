#include "render/cell_triangles.hpp"

#include <algorithm>

namespace backlit {
namespace {

int corner(int axis, int along, int second, int third) {
  return along << axis | second << (axis + 1) % 3 | third << (axis + 2) % 3;
}

int edge_between(int from, int to) {
  const int difference = from ^ to, axis = difference == 1 ? 0 : difference == 2 ? 1 : 2, low = from & to;
  return 4 * axis + (low >> (axis + 1) % 3 & 1) + 2 * (low >> (axis + 2) % 3 & 1);
}

class Table {
 public:
  Table() {
    for (int inside = 0; inside < 256; ++inside) derive(inside);
  }
  const std::vector<CellTriangle>& triangles(int inside) const { return table_[static_cast<std::size_t>(inside)]; }

 private:
  /// On each face, seen from outside the cell and counterclockwise, a segment leads from the start of each run of
  /// inside corners to its end. An edge ends a run on one of its two faces and begins one on the other. So segments
  /// join to loops, and fans of triangles fill the loops.
  void derive(int inside) {
    std::array<int, 12> next;
    next.fill(-1);
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) {
        std::array<int, 4> face{corner(axis, side, 0, 0), corner(axis, side, 1, 0), corner(axis, side, 1, 1),
                                corner(axis, side, 0, 1)};
        if (side == 0) std::reverse(face.begin(), face.end());
        add_segments(face, inside, next);
      }
    std::array<bool, 12> done{};
    for (int first = 0; first < 12; ++first) {
      if (next[static_cast<std::size_t>(first)] < 0 || done[static_cast<std::size_t>(first)]) continue;
      std::vector<int> loop;
      for (int e = first; !done[static_cast<std::size_t>(e)]; e = next[static_cast<std::size_t>(e)]) {
        done[static_cast<std::size_t>(e)] = true;
        loop.push_back(e);
      }
      for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        table_[static_cast<std::size_t>(inside)].push_back({loop[0], loop[i], loop[i + 1]});
    }
  }

  static void add_segments(const std::array<int, 4>& face, int inside, std::array<int, 12>& next) {
    const auto in = [&](std::size_t i) { return (inside >> face[i % 4] & 1) != 0; };
    for (std::size_t i = 0; i < 4; ++i) {
      if (!in(i) || in(i + 3)) continue;  // a run begins where the corner before is outside
      std::size_t last = i;
      while (in(last + 1)) ++last;
      const int begins = edge_between(face[(i + 3) % 4], face[i]),
                ends = edge_between(face[last % 4], face[(last + 1) % 4]);
      next[static_cast<std::size_t>(begins)] = ends;
    }
  }

  std::array<std::vector<CellTriangle>, 256> table_;
};

}  // namespace

const std::vector<CellTriangle>& cell_triangles(int inside) {
  static const Table table;
  return table.triangles(inside);
}

}  // namespace backlit
