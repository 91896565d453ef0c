#include "study/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "study/report/format.hpp"
#include "study/report/selection.hpp"

namespace backlit::report {
namespace {

/// A number in the machine's facts; 0 if it is unknown.
double fact(const StudyResult& r, const std::string& name) {
  double value = 0;
  for (const auto& [fact, text] : r.environment)
    if (fact == name) std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double multiprocessors(const StudyResult& r, const std::string& through) {
  return fact(r, through == "fragment"  ? "multiprocessors that run fragments"
                 : through == "compute" ? "multiprocessors that run compute shaders"
                                        : "CUDA multiprocessors");
}

/// The fastest of the cells for which keep(cell) is true.
template <class Keep>
const StudyCell* fastest_if(Cells cells, Keep keep) {
  std::erase_if(cells, [&](const StudyCell* c) { return !keep(*c); });
  return fastest(cells);
}

/// "29.4 times (± 0.2 %)".
std::string times(const Ratio& ratio) {
  return fmt::format("{} times (± {}{})", number(ratio.value), spread_text(ratio.spread),
                     ratio.differs_from_one() || ratio.spread >= 1 ? "" : ", may be 1");
}

/// "takes 29.4 times (± 0.2 %) as long as".
std::string against(const Ratio& ratio) {
  if (ratio.value >= 1) return "is " + times(ratio) + " as fast as";
  return "takes " + times({1 / ratio.value, ratio.spread}) + " as long as";
}

std::string first_sentence(const Contest& contest) {
  const StudyCell& best = *fastest(contest.cells);
  const std::string options = options_brief(best);
  return fmt::format("{} is fastest: {} {} ± {}{}.", best.architecture, number(best.rate), best.unit,
                     spread_text(best.spread), options.empty() ? "" : " (" + options + ")");
}

/// Whether two cells do the same work: compares options of the result, not those of the implementation.
bool same_task(const StudyCell& a, const StudyCell& b) {
  return std::ranges::all_of(std::array{"model", "subsets"}, [&](const char* name) {
    const std::string *in_a = option(a, name), *in_b = option(b, name);
    return !in_a || !in_b || *in_a == *in_b;
  });
}

/// Compares the best of the graphics pipeline with the best kernel for the same work.
std::string pipeline_sentence(const Contest& contest, const StudyResult& r) {
  const auto draws = [](const StudyCell& c) { return through(c.architecture) == "fragment"; };
  const StudyCell* drawn = fastest_if(contest.cells, draws);
  if (!drawn) return {};
  const StudyCell* kernel = fastest_if(contest.cells, [&](const StudyCell& c) {
    return (c.architecture == "compute" || c.architecture == "CUDA") && same_task(c, *drawn);
  });
  if (!kernel) return {};
  const Ratio ratio = speed_ratio(*drawn, *kernel);
  std::string text = fmt::format("The best of the graphics pipeline ({}) {} the best kernel ({}).", drawn->architecture,
                                 against(ratio), kernel->architecture);
  const double few = multiprocessors(r, "fragment"), all = multiprocessors(r, kernel->architecture);
  if (few > 0 && all > few) {
    const double each = ratio.value * all / few;
    text += " For each multiprocessor that can run it, it ";
    text += each >= 1 ? fmt::format("is {} times as fast.", number(each))
                      : fmt::format("takes {} times as long.", number(1 / each));
  }
  return text;
}

/// Options of `cell` that differ in `other`.
std::string peculiar(const StudyCell& cell, const StudyCell& other) {
  StudyCell only;
  for (const auto& [name, value] : cell.options)
    if (const std::string* its = option(other, name); !its || *its != value) only.options.emplace_back(name, value);
  return options_text(only);
}

std::string duel_sentence(const Contest& contest, const std::string& a, const std::string& b) {
  for (const Duel& d : duels(contest)) {
    if (d.a != a || d.b != b || d.alike.empty()) continue;
    if (d.alike.size() == 1) return fmt::format("With equal options {} {} {}.", a, against(d.alike.front()), b);
    const double middle = middle_of(d.alike).value;
    const auto pair = [&](auto found) {
      const StudyCell& cell = *d.alike_a[static_cast<std::size_t>(found - d.alike.begin())];
      return std::pair(found->value, &cell);
    };
    const auto [least, most] = std::ranges::minmax_element(d.alike, {}, &Ratio::value);
    const auto low = pair(least), high = pair(most);
    const bool faster = middle >= 1;
    const auto end = [&](const std::pair<double, const StudyCell*>& one, const StudyCell& other) {
      const std::string what = peculiar(*one.second, other);
      return number(faster ? one.first : 1 / one.first) + (what.empty() ? "" : " (" + what + ")");
    };
    return fmt::format("With equal options {} {} {} times as {} as {} (median of {} pairs), from {} to {}.", a,
                       faster ? "is" : "takes", number(faster ? middle : 1 / middle), faster ? "fast" : "long", b,
                       d.alike.size(), end(faster ? low : high, *(faster ? high : low).second),
                       end(faster ? high : low, *(faster ? low : high).second));
  }
  return {};
}

/// Compares the fastest packed variant of each architecture with its fastest unpacked one.
std::string packing_sentence(const Contest& contest) {
  std::string text;
  for (const std::string& name : architectures(contest.cells)) {
    const auto of = [&](bool packed) {
      return fastest_if(contest.cells, [&](const StudyCell& c) {
        const std::string* packing = option(c, "packing");
        return c.architecture == name && packing && *packing != "auto" && (*packing != "none") == packed;
      });
    };
    const StudyCell *packed = of(true), *plain = of(false);
    if (packed && plain)
      text += fmt::format("{} {} {}", text.empty() ? "" : ",", name, ratio_text(speed_ratio(*packed, *plain)));
  }
  return text.empty() ? ""
                      : "The best packed variant is faster than the best unpacked one by a factor of:" + text + ".";
}

std::string views_sentence(const Contest& contest, const std::vector<Trend>& all) {
  std::string text;
  for (const Trend& t : all) {
    if (t.of != "views" || t.operation != contest.operation || t.about != contest.workload) continue;
    for (const Series& s : t.series) {
      const auto best = std::ranges::max_element(s.cells, {}, [](const StudyCell* c) { return c->rate; });
      const auto i = static_cast<std::size_t>(best - s.cells.begin());
      if (i > 0)
        text += fmt::format("{}{} is {} as fast with {:g} views per pass as with {:g}", text.empty() ? "" : ", ",
                            s.architecture, times(speed_ratio(**best, *s.cells[0])), s.x[i], s.x[0]);
    }
  }
  return text.empty() ? "" : text + ".";
}

/// The largest gain by early kill, over all workloads of the operation.
std::string kill_sentence(const std::string& operation, const StudyResult& r) {
  Ratio most;
  std::string workload;
  for (const Contest& contest : contests(r)) {
    if (contest.operation != operation) continue;
    for (const Duel& d : duels(contest))
      if (d.a == "AG-GPU+")
        for (const Ratio& ratio : d.alike)
          if (ratio.value > most.value) {
            most = ratio;
            workload = contest.workload;
          }
  }
  return workload.empty()
             ? ""
             : fmt::format("Early kill is at most {} as fast as the same without it ({}).", times(most), workload);
}

}  // namespace

std::vector<Answer> summary(const StudyResult& r) {
  std::vector<Answer> answers;
  const double few = multiprocessors(r, "fragment"), all = multiprocessors(r, "compute");
  const std::vector<Trend> curves = trends(r);
  for (const Contest& contest : main_contests(r)) {
    if (architectures(contest.cells).size() < 2 || !fastest(contest.cells)) continue;
    Answer answer{spoken(contest.operation) + ", " + contest.workload, {}};
    if (few > 0 && all > few && answers.empty())
      answer.sentences.push_back(
          fmt::format("{:g} of this card's {:g} multiprocessors run fragment shaders. All run kernels.", few, all));
    for (const std::string& sentence :
         {first_sentence(contest), pipeline_sentence(contest, r), duel_sentence(contest, "AG-GPU", "MP-GPU"),
          views_sentence(contest, curves), packing_sentence(contest), kill_sentence(contest.operation, r)})
      if (!sentence.empty()) answer.sentences.push_back(sentence);
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::string exceeded_limits(const StudyResult& r) {
  std::map<std::string, double> worst;
  std::size_t count = 0;
  for (const StudyCell& c : r.cells) {
    if (!has_speed(c) || !c.share || !(*c.share > 1 + c.spread)) continue;
    double& most = worst[through(c.architecture) + ", " + c.limit];
    most = std::max(most, *c.share);
    ++count;
  }
  if (count == 0) return {};
  std::string names;
  for (const auto& [name, share] : worst)
    names += fmt::format("{}{} (up to {} times)", names.empty() ? "" : "; ", name, number(share));
  return fmt::format("{} configuration{} faster than a limit, which therefore was measured too low: {}.", count,
                     count == 1 ? " was" : "s were", names);
}

}  // namespace backlit::report
