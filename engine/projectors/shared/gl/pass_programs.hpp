// Drawing programs for passes over several views (or groups of views) at once, as many as varyings hold.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "gl/context.hpp"
#include "gl/program.hpp"

namespace backlit::gl {

class PassPrograms {
 public:
  using Make = std::function<Program(std::int64_t items)>;

  /// The program for `items` items, made when first asked for.
  Program& of(std::int64_t items, const Make&);

  /// The largest number of items, up to `wanted`, whose program links; the vertex shader passes on `components`
  /// components for each. `from_vertex`: without a geometry shader in between. Throws Failure when not even one item
  /// links.
  std::int64_t fit(Context&, std::int64_t wanted, std::int64_t components, bool from_vertex, const Make&);
  /// ",varyings=124" when the number of varying components limited fit(), otherwise empty.
  const std::string& limit() const { return limit_; }

  /// Number of items of the next pass when `left` are left and passes have `most`. A last, smaller pass has a power of
  /// two, so that there are few programs.
  static std::int64_t next(std::int64_t left, std::int64_t most);

 private:
  bool links(Context&, std::int64_t items, const Make&);

  std::map<std::int64_t, Program> programs_;
  std::string limit_;
};

}  // namespace backlit::gl
