#include "study/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/candidates/ct_candidates.hpp"
#include "study/variant_lists.hpp"

namespace backlit {
namespace {

using Backends = std::span<Backend* const>;

SharedCasePtr share(BenchCase c, const std::string& what = "") {
  const std::string name = fmt::format("{} x {} views{}", c.name, c.scan.view_count(), what);
  return std::make_shared<SharedCase>(std::move(c), name);
}

/// Limit for the CPU, which does some 1e7 to 1e9 updates a second: larger workloads would take most of the study's
/// time.
constexpr double most_updates_of_cpu = 1e8;

bool bearable(const Backend& backend, const BenchCase& c) {
  return backend.name() != "cpu" ||
         static_cast<double>(c.grid.voxels()) * static_cast<double>(c.scan.view_count()) <= most_updates_of_cpu;
}

class Planner {
 public:
  Planner(Backends backends, const StudySize& size) : backends_(backends), size_(size) {}

  std::vector<PlannedGroup> groups;

  void add_backprojections() {
    const std::int64_t n = size_.cube(), views = size_.views();
    add_backprojection(share(study_case(n, views)), interpolating_backprojections);
    add_backprojection(share(study_case(n, views), ", nearest pixel"), nearest_backprojections);
    add_backprojection(share(study_case(n, views, 380), ", inscribed circle"), killing_backprojections);
    for (const std::int64_t side :
         size_.full ? std::vector<std::int64_t>{96, 384, 512} : std::vector<std::int64_t>{32, 48})
      add_backprojection(share(study_case(side, views)), chosen_backprojections);
    for (const std::int64_t count : size_.full ? std::vector<std::int64_t>{16, 256} : std::vector<std::int64_t>{32})
      add_backprojection(share(study_case(n, count)), chosen_backprojections);
    const auto profiled = share(size_.full ? bench_case("course512") : study_case(n, 2 * views));
    profiled->want_profiles();
    add_backprojection(profiled, chosen_backprojections);
    if (!groups.empty()) groups.back().profiles = [profiled] { return profiled->profiles(); };
  }

  void add_projections() {
    for (const std::int64_t n : size_.full ? std::vector<std::int64_t>{96, 192} : std::vector<std::int64_t>{32}) {
      const auto shared = share(study_case(n, size_.full ? 64 : 32));
      add("projection", shared, projections,
          [&](Backend& b, const CtOptions& o) { return projection_candidate(b, shared, o, "projection"); });
    }
  }

  void add_footprints() {
    const BenchCase c = size_.full ? study_case(192, 64) : study_case(32, 16);
    const auto there = share(c, ", forward"), back = share(c, ", back");
    add("distance_driven", there, footprints,
        [&](Backend& b, const CtOptions& o) { return projection_candidate(b, there, o, "distance_driven"); });
    add("distance_driven", back, footprints,
        [&](Backend& b, const CtOptions& o) { return transpose_candidate(b, back, o, "distance_driven"); });
  }

  void add_lines(const char* operation, LineWork work) {
    const auto shared = std::make_shared<SharedLines>(line_case("lm75", size_.full ? 500'000 : 10'000));
    PlannedGroup group{operation, {}};
    for (Backend* backend : backends_)
      for (const LineBenchOptions& o : lines(backend->innermost()))
        group.candidates.push_back(line_candidate(*backend, shared, o, work));
    groups.push_back(std::move(group));
  }

  void add_iterations(const char* operation, const char* method, std::int64_t subsets) {
    const BenchCase c = size_.full ? bench_case("course128") : study_case(32, 16);
    const auto shared =
        std::make_shared<SharedIterations>(c, fmt::format("{} x {} views", c.name, c.scan.view_count()));
    PlannedGroup group{operation, {}};
    for (Backend* backend : backends_)
      for (const Method& m : iterations(backend->innermost(), method, subsets))
        group.candidates.push_back(iteration_candidate(*backend, shared, m));
    groups.push_back(std::move(group));
  }

  void add_pictures() {
    const std::int64_t n = size_.full ? 256 : 64, side = size_.full ? 512 : 96;
    const BenchCase c = study_case(n, 64);
    const auto shared = std::make_shared<SharedPictures>(c, c.name, side);
    PlannedGroup group{"render", {}};
    for (Backend* backend : backends_)
      for (const RenderVariant& variant : render_variants(backend->innermost()))
        group.candidates.push_back(render_candidate(*backend, shared, variant));
    groups.push_back(std::move(group));
  }

  void add_d2vr() {
    const std::int64_t n = size_.full ? 128 : 32, views = size_.full ? 180 : 32, side = size_.full ? 160 : 32;
    const BenchCase c = study_case(n, views);
    const auto shared = std::make_shared<SharedPictures>(c, fmt::format("{} x {} views", c.name, views), side);
    PlannedGroup group{"d2vr", {}};
    for (Backend* backend : backends_)
      for (const D2vrVariant& variant : d2vr_variants(backend->innermost()))
        group.candidates.push_back(d2vr_candidate(*backend, shared, variant));
    groups.push_back(std::move(group));
  }

 private:
  template <class Variants, class Make>
  void add(const char* operation, const SharedCasePtr& shared, Variants&& variants, Make&& make) {
    PlannedGroup group{operation, {}};
    group.release = [shared] { shared->release_arrays(); };
    for (Backend* backend : backends_) {
      if (!bearable(backend->innermost(), shared->bench)) continue;
      for (const CtOptions& o : variants(*backend)) group.candidates.push_back(make(*backend, o));
    }
    if (!group.candidates.empty()) groups.push_back(std::move(group));
  }

  template <class Variants>
  void add_backprojection(const SharedCasePtr& shared, Variants&& variants) {
    add("backprojection", shared, variants, [&](Backend& b, const CtOptions& o) {
      return backprojection_candidate(b, shared, o, static_cast<double>(size_.copied_bytes()));
    });
  }

  Backends backends_;
  StudySize size_;
};

}  // namespace

const std::vector<std::string>& study_operations() {
  static const std::vector<std::string> names{"backprojection", "projection", "distance_driven",
                                              "lines_forward",  "lines_back", "sart",
                                              "os-em",          "render",     "d2vr"};
  return names;
}

std::vector<PlannedGroup> plan_study(Backends backends, const StudySize& size, std::span<const std::string> only) {
  const auto wanted = [&](const char* operation) {
    return only.empty() || std::ranges::find(only, operation) != only.end();
  };
  Planner planner(backends, size);
  if (wanted("backprojection")) planner.add_backprojections();
  if (wanted("projection")) planner.add_projections();
  if (wanted("distance_driven")) planner.add_footprints();
  if (wanted("lines_forward")) planner.add_lines("lines_forward", LineWork::forward);
  if (wanted("lines_back")) planner.add_lines("lines_back", LineWork::back);
  if (wanted("sart")) planner.add_iterations("sart", "sart", 1);
  if (wanted("os-em")) planner.add_iterations("os-em", "osem", 8);
  if (wanted("render")) planner.add_pictures();
  if (wanted("d2vr")) planner.add_d2vr();
  return std::move(planner.groups);
}

}  // namespace backlit
