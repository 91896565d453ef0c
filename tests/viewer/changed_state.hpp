// A session of the viewer in which nothing is as it comes.
#pragma once

#include "model/state.hpp"

namespace backlit::test {

/// Sets every scalar to another valid value.
inline viewer::ViewState changed_everywhere() {
  using namespace viewer;
  ViewState s;
  s.recon.method = Method("pwls");
  for (StateSection& section : describe(s))
    for (Parameter& p : section.parameters) {
      if (std::holds_alternative<Choice>(p.target) && p.name != "method") p.set(p.choices.back());
      if (auto* flag = std::get_if<bool*>(&p.target)) **flag = !**flag;
      if (auto* n = std::get_if<std::int64_t*>(&p.target)) **n = p.max > **n ? **n + 1 : **n - 1;
      if (auto* x = std::get_if<double*>(&p.target)) {
        const double moved = **x + 0.1234567890123;
        **x = moved <= p.max ? moved : **x - 0.1234567890123;
      }
      if (auto* text = std::get_if<std::string*>(&p.target))
        **text = p.choices.empty()              ? "a \"quoted\"\nname"
                 : p.choices.back() == "custom" ? p.choices[2]
                                                : p.choices.back();
    }
  s.display.transfer = "bone";
  s.display.iso_color = "#102030";
  s.surfaces = {{0.5, 0.25, "#405060"}, {-1, 1, "A0B0C0"}};
  s.materials = {{"fat", -1, 0.25, "#102030", 0}, {"a \"soft\" one", 0.25, 2, "#A0B0C0", 1}};
  s.layouts = {{"all of it", "slices", "axial", "sinogram", true, false, 0.25, 0.5, 200, 333}, {"\"plain\""}};
  s.clips = {{Vec3(1, 2, 3), Vec3(0, 0, 1)}, {Vec3(-1, 0, 0.1), Vec3(1, 0, 0)}};
  s.keyframes = {Turntable{10, 20, 30, 2, Vec3(1, 2, 3)}, Turntable{}};
  s.measurements = {{Measurement::Kind::angle, {Vec3(1, 0, 0), Vec3(0), Vec3(0, 1, 0)}},
                    {Measurement::Kind::region, {Vec3(0), Vec3(1, 2, 3)}},
                    {Measurement::Kind::note, {Vec3(1, 2, 3)}, "a \"crack\""}};
  s.segment.low = 0.01;  // below `high`
  s.segment.balls = {{Vec3(1, 2, 3), 4, true}, {Vec3(-1, 0.1, 7), 0.25, false}};
  return s;
}

}  // namespace backlit::test
