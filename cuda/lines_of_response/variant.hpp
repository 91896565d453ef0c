// How lines are sorted and cut into work, and the place where studies hook in kernels of their own.
#pragma once

namespace backlit::cuda {

class LinePlan;
class Stream;
struct Arguments;

/// What a block's lines are sorted by, each with what stands before it.
enum class LineOrder { tile, taps, length };

/// Without a mark: what measured best.
struct LineVariant {
  /// Tiles in shared memory with a thread a line; the same with a warp a line; a thread a line and no tiles; tiles
  /// whose voxels ask all lines (back only; forward as with tiles).
  enum class Body { tiles, warp, global, voxels };
  Body body = Body::tiles;
  bool gaussian = false, table = false;
  bool looped = false;   ///< loops over taps whose ends are known when they run
  bool precise = false;  ///< exponentials of full precision
  bool racy = false;     ///< back adds without atomic operations: sums are lost (for counting collisions)
  bool half = false;     ///< forward reads tiles of half-precision values
  LineOrder order = LineOrder::length;
  int threads = 512;       ///< of a block: 256, 512, 1024
  int blocks = 2;          ///< on a multiprocessor
  int pieces = 3;          ///< of work for each block that runs at a time
  const char* words = "";  ///< what a study calls it
  /// Starts the kernel of a study, for Gaussian tubes and the sums of floating(); false when it has none in this
  /// direction. Null: the kernels that measured best run.
  bool (*start)(Stream&, const LinePlan&, const Arguments&, const LineVariant&, bool forward) = nullptr;

  /// Whether sums are kept in floating point: there is nobody to scale them.
  bool floating() const { return body == Body::global || body == Body::voxels; }
  /// Whether other kernels run than without a variant.
  bool study() const { return body != Body::tiles || looped || precise || racy || half || threads != 512; }
};

}  // namespace backlit::cuda
