// Drawing programs for passes over so many views (or groups of views) at once, as many as varyings hold.
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

  /// The program for `items`, made when first asked for.
  Program& of(std::int64_t items, const Make&);

  /// How many of `wanted` items a pass may have whose vertex shader hands on `components` for each (`from_vertex`:
  /// without a geometry shader in between): the most whose program links. Throws Failure when not even one does.
  std::int64_t fit(Context&, std::int64_t wanted, std::int64_t components, bool from_vertex, const Make&);
  /// ",varyings=124" when it was the number of varying components that kept fit() below what was wanted, else empty.
  const std::string& limit() const { return limit_; }

  /// Items of the next pass when `left` are left over and passes have `most`: what does not fill a pass is made of few
  /// programs, powers of two.
  static std::int64_t next(std::int64_t left, std::int64_t most);

 private:
  bool links(Context&, std::int64_t items, const Make&);

  std::map<std::int64_t, Program> programs_;
  std::string limit_;
};

}  // namespace backlit::gl
