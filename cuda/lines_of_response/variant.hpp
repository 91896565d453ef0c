// Order of lines and division of work, and a hook for the kernels of studies.
#pragma once

namespace backlit::cuda {

class LinePlan;
class Stream;
struct Arguments;

/// Key by which a block's lines are sorted; each one includes those before it.
enum class LineOrder { tile, taps, length };

/// The defaults are the fastest in measurements.
struct LineVariant {
  /// tiles: tiles in shared memory, one thread per line. warp: the same with a warp per line. global: one thread per
  /// line, no tiles. voxels: each voxel of a tile loops over all lines (back only; forward as with tiles).
  enum class Body { tiles, warp, global, voxels };
  Body body = Body::tiles;
  bool gaussian = false, table = false;
  bool looped = false;   ///< loops over taps whose ends are known at run time only
  bool precise = false;  ///< exponentials of full precision
  bool racy = false;     ///< back adds without atomics: sums are lost (for counting collisions)
  bool half = false;     ///< forward reads tiles of half-precision values
  LineOrder order = LineOrder::length;
  int threads = 512;       ///< per block: 256, 512, 1024
  int blocks = 2;          ///< per multiprocessor
  int pieces = 3;          ///< pieces of work per block that runs at a time
  const char* words = "";  ///< its name in a study
  /// Starts the kernel of a study, for Gaussian tubes and the sums of floating(). Returns false when it has no kernel
  /// in this direction. Null: the fastest kernels run.
  bool (*start)(Stream&, const LinePlan&, const Arguments&, const LineVariant&, bool forward) = nullptr;

  /// Whether sums are kept in floating point, because nothing scales them.
  bool floating() const { return body == Body::global || body == Body::voxels; }
  /// Whether the kernels differ from those without a variant.
  bool study() const { return body != Body::tiles || looped || precise || racy || half || threads != 512; }
};

}  // namespace backlit::cuda
