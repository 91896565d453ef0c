// An OpenGL 4.5 core context, with or without a window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gl/debug.hpp"
#include "gl/handles.hpp"
#include "gl/limits.hpp"

namespace backlit::gl {

class Context;

struct ContextOptions {
  std::optional<int> device{};  ///< index of the EGL device; none takes the first that works, hardware before software
  std::optional<int> cuda_device{};  ///< the EGL device of this CUDA ordinal (their orders differ)
  bool debug = false;                ///< driver checks everything; errors are sentences instead of codes
  /// A context made by create() whose objects this one is to share, whichever thread has it: textures, buffers,
  /// programs, samplers and fences are common to both, framebuffers and vertex arrays are not.
  std::shared_ptr<Context> share{};
};

/// Belongs to the thread that made it. Not copied, not moved: handles made under it keep a pointer where they must.
class Context {
 public:
  /// Without a window, through EGL: a device of the device platform, else surfaceless Mesa. Current afterwards.
  /// Throws Failure saying what was tried and which package is missing.
  static std::shared_ptr<Context> create(const ContextOptions& = {});
  /// Takes over the context that is current (a window's); it stays its owner's to destroy.
  static std::shared_ptr<Context> adopt(bool debug = false);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Makes this context current on the calling thread, if it is not already. Adopted contexts: their owner does that.
  void make_current();
  /// For destructors. Where it cannot be made current any more (its device is lost) none is, and deleting objects does
  /// nothing: they go with the context.
  void make_current_or_none() noexcept;

  const std::string& renderer() const { return renderer_; }  ///< GL_RENDERER
  const std::string& version() const { return version_; }    ///< GL_VERSION
  const Limits& limits() const { return limits_; }
  /// Replaces the limits, to make plans take the road of lesser hardware.
  void mask(const Limits& limits) { limits_ = limits; }

  /// Passes of about `updates` of voxels or rays have been handed over. Waits for earlier ones where seconds of a slow
  /// device's work would pile up: after more than 10 s of it NVIDIA's driver loses what was drawn (docs/notebook).
  void pace(double updates);
  /// The slowest passes do 2e9 updates a second on two of an H200's 66 clusters.
  static constexpr double most_updates = 4e9;
  /// How many updates may be handed over between two waits, and how often pace() has waited.
  void set_pace(double updates) { most_updates_ = updates; }
  std::int64_t waits() const { return waits_; }

  /// For a context beside a window's where a CPU draws (Limits::software): there, whoever waits for anything waits for
  /// all that any context has handed over. Passes are cut into pieces of about so many updates, one after another, and
  /// `between` is called after each. What is computed is the same to the bit.
  void cut_passes(double updates, std::function<void()> between);
  bool cuts_passes() const { return between_ != nullptr; }
  /// How many of `parts`, each of so many updates, one piece may take: all where passes are not cut.
  std::int64_t piece(std::int64_t parts, double updates) const;
  /// A pass of so many parts: f(first, count) hands over some of them, piece by piece, at the pace().
  template <class F>
  void in_pieces(std::int64_t parts, double updates, F&& f) {
    const std::int64_t most = piece(parts, updates);
    for (std::int64_t first = 0; first < parts; first += most) {
      const std::int64_t count = std::min(most, parts - first);
      f(first, count);
      pace(static_cast<double>(count) * updates);
    }
  }
  /// The most updates that were handed over at once since passes are cut.
  double largest_piece() const { return largest_piece_; }

  DebugLog& debug() { return debug_; }
  /// Throws Failure when OpenGL reported an error since the last call.
  void check(const char* where = "OpenGL") { debug_.check(where); }

 private:
  struct Egl;
  Context(std::unique_ptr<Egl> egl, bool debug);
  /// Null where the display cannot have such a context.
  static std::shared_ptr<Context> create_on(void* display, const ContextOptions&);

  std::unique_ptr<Egl> egl_;  ///< null when adopted
  std::string renderer_, version_;
  Limits limits_;
  DebugLog debug_;
  double most_updates_ = most_updates, updates_ = 0, largest_piece_ = 0;
  std::function<void()> between_;  ///< set: passes are cut
  std::int64_t waits_ = 0;
  Fence earlier_;  ///< after which updates_ were handed over
};

}  // namespace backlit::gl
