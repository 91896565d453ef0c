// What a study's report says and that its page is sound: well-formed, without numbers that are none, text escaped.
#include <catch2/catch.hpp>

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "study/report/figures/plot.hpp"
#include "study/report/format.hpp"
#include "study/report/selection.hpp"
#include "study/report/summary.hpp"
#include "study/report/table.hpp"
#include "study/study_report.hpp"
#include "support/study_sample.hpp"

using namespace backlit;
using namespace backlit::report;
using backlit::test::sample_study;

namespace {

using Element = tinyxml2::XMLElement;

void visit(const Element* element, const std::function<void(const Element&)>& f) {
  for (; element; element = element->NextSiblingElement()) {
    f(*element);
    visit(element->FirstChildElement(), f);
  }
}

/// The page as XML; fails the test where it is none.
struct Page {
  explicit Page(const StudyResult& result) : text(study_html(result)) {
    const auto error = document.Parse(text.data(), text.size());
    INFO(document.ErrorStr());
    REQUIRE(error == tinyxml2::XML_SUCCESS);
  }
  int count(const std::string& name, const std::string& style = {}) const {
    int found = 0;
    visit(document.RootElement(), [&](const Element& e) {
      const char* its = e.Attribute("class");
      found += e.Name() == name &&
               (style.empty() || (its && (" " + std::string(its) + " ").find(" " + style + " ") != std::string::npos));
    });
    return found;
  }

  std::string text;
  tinyxml2::XMLDocument document;
};

/// Numbers of an attribute such as "1.0,2.5 3,4".
std::vector<double> numbers_of(const char* text) {
  std::vector<double> all;
  while (text && *text) {
    char* end = nullptr;
    all.push_back(std::strtod(text, &end));
    if (end == text) return {std::numeric_limits<double>::quiet_NaN()};
    text = end + (*end != 0);
  }
  return all;
}

/// All coordinates are finite, and marks, lines and text lie within the view box.
void check_pictures(const Page& page) {
  double width = 0, height = 0;
  visit(page.document.RootElement(), [&](const Element& e) {
    if (e.Name() == std::string("svg")) {
      const auto box = numbers_of(e.Attribute("viewBox"));
      REQUIRE(box.size() == 4);
      width = box[2];
      height = box[3];
    }
    const std::set<std::string> across{"x", "x1", "x2", "width"}, down{"y", "y1", "y2", "height"};
    for (const auto* a = e.FirstAttribute(); a && width > 0; a = a->Next()) {
      const bool is_x = across.contains(a->Name()), is_y = down.contains(a->Name());
      const bool points = a->Name() == std::string("points");
      if (!is_x && !is_y && !points) continue;
      INFO(e.Name() << " " << a->Name() << "=" << a->Value() << " in " << width << " x " << height);
      const auto values = numbers_of(a->Value());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double most = is_x || (points && i % 2 == 0) ? width : height;
        if (!(values[i] >= -0.5 && values[i] <= most + 0.5)) FAIL("outside of the picture");
      }
    }
    if (e.Name() == std::string("text") && e.GetText()) {
      const std::string anchor = e.Attribute("text-anchor") ? e.Attribute("text-anchor") : "start";
      const double x = e.DoubleAttribute("x"), size = 12.5, w = text_width(e.GetText(), size);
      INFO(e.GetText() << " at " << x);
      CHECK((anchor == "end" ? x - w : anchor == "middle" ? x - w / 2 : x) > -12);
      CHECK((anchor == "end" ? x : anchor == "middle" ? x + w / 2 : x + w) < width + 12);
    }
  });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

StudyCell simple_cell(const std::string& architecture, double rate, Facts options = {}) {
  StudyCell c;
  c.operation = "backprojection";
  c.workload = "cube64 x 90 views";
  c.architecture = architecture;
  c.options = std::move(options);
  c.unit = "GUPS";
  c.work = 1;
  c.seconds.assign(9, 1 / rate);
  summarise(c);
  return c;
}

}  // namespace

TEST_CASE("The report of a study is sound, with every figure in it") {
  const Page page(sample_study());
  check_pictures(page);
  for (const char* id :
       {"speed", "ratios", "limits", "error", "options", "scaling", "profiles", "ceilings", "cells", "machine"})
    CHECK(contains(page.text, std::string("<section id=\"") + id + "\">"));
  CHECK(page.count("svg") >= 8);
  CHECK(page.count("polygon", "mark") > 250);
  CHECK(page.count("tr", "failed") == 1);
  CHECK(page.count("tr", "unsupported") == 1);
  CHECK(page.count("tr", "noisy") >= 1);
  CHECK(contains(page.text, "failed: an error of 44 HU, allowed 1"));
  CHECK(contains(page.text, "Imaginary &lt;X1&gt; &amp; &quot;Y&quot;"));
  CHECK(contains(page.text, "no such &lt;packing&gt; &amp; no remedy"));
  CHECK_FALSE(contains(page.text, "http"));  // nothing from outside
}

TEST_CASE("Reports of nothing, of one cell and of failures only are sensible") {
  const Page empty(StudyResult{});
  CHECK(contains(empty.text, "No configuration was measured."));
  CHECK(empty.count("svg") == 0);
  CHECK(contains(study_markdown({}), "No configuration was measured."));

  StudyResult one;
  one.cells.push_back(simple_cell("CPU", 2));
  const Page single(one);
  check_pictures(single);
  CHECK(contains(single.text, "1 configuration: 1 measured"));

  StudyResult failed = sample_study();
  for (StudyCell& cell : failed.cells) {
    cell.status = StudyCell::Status::failed;
    cell.note = "out of bounds";
    summarise(cell);
  }
  failed.profiles.clear();
  const Page none(failed);
  CHECK(none.count("svg") == 0);
  CHECK(none.count("tr", "failed") >= 120);
  CHECK(contains(study_markdown(failed), "out of bounds"));
}

TEST_CASE("Values that are none do not reach the pictures") {
  StudyResult r = sample_study();
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  r.cells[0].rate = nan;
  r.cells[1].rate = infinity;
  r.cells[2].rmse = nan;
  r.cells[3].rmse = 0.0;
  r.cells[4].spread = nan;
  r.cells[5].counts[0].second = nan;
  r.cells[6].share = 1.5;
  r.cells[7].work = 0;
  r.profiles[0].value[3] = nan;
  r.profiles[1].position_mm[5] = infinity;
  r.ceilings[0].rate = nan;
  const Page page(r);
  check_pictures(page);
  CHECK(contains(page.text, "limit measured too low"));
}

TEST_CASE("Markdown has conclusions, speeds, limits and failures on a short page") {
  const std::string text = study_markdown(sample_study());
  CHECK(contains(text, "120 configurations: 118 measured (1 of them noisy), 1 failed, 1 not offered."));
  CHECK(contains(text, "- CUDA is fastest: "));
  CHECK(contains(text, "| Limit | Unit | fragment | compute | CUDA | CPU |"));
  CHECK(contains(text, "| bilinear r32f | G fetches/s | 30.0 | 933 |  |  |"));
  CHECK(contains(text, "an error of 44 HU, allowed 1"));
  CHECK(std::ranges::count(text, '\n') < 100);
}

TEST_CASE("CSV has a line for every cell and every limit") {
  const StudyResult r = sample_study();
  const std::string text = study_csv(r);
  CHECK(text.starts_with("operation,workload,architecture,options,status,rate,unit,spread,seconds,"));
  CHECK(static_cast<std::size_t>(std::ranges::count(text, '\n')) == 1 + r.cells.size() + r.ceilings.size());
  CHECK(contains(text, "backprojection,cube64,CUDA,\"packing orbit, texel rgba16f, views per pass 64\",ok,"));
  CHECK(contains(text, "\"an error of 44 HU, allowed 1\""));
  CHECK(contains(text, "limit,bilinear r32f,compute,,ok,933,G fetches/s,0.02,,,,,,,,\n"));
}

TEST_CASE("The effect of an option is found from the fastest, failed cells have none") {
  StudyResult r;
  r.cells = {simple_cell("CUDA", 8, {{"texel", "r16f"}, {"views", "16"}}),
             simple_cell("CUDA", 4, {{"texel", "r32f"}, {"views", "16"}}),
             simple_cell("CUDA", 2, {{"texel", "r32f"}, {"views", "1"}}),  // two options away
             simple_cell("CUDA", 9, {{"texel", "r8"}, {"views", "16"}}),
             simple_cell("CPU", 1, {{"texel", "r32f"}, {"views", "16"}})};
  r.cells[3].rmse = 7;
  r.cells[3].rmse_bound = 1;
  summarise(r.cells[3]);
  const auto all = contests(r);
  REQUIRE(all.size() == 1);
  const auto changes = changes_from_best(all[0]);
  REQUIRE(changes.size() == 3);
  CHECK(changes[0].what == "texel: r16f → r32f");
  CHECK(changes[0].ratio.value == Approx(0.5));
  CHECK(changes[1].base == &r.cells[1]);  // which has two neighbours, the fastest but one
  CHECK(changes[1].ratio.value == Approx(2));
  CHECK(changes[2].what == "views per pass: 16 → 1");
  const auto pairs = duels(all[0]);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].best.value == Approx(8));
  REQUIRE(pairs[0].alike.size() == 1);  // r32f with 16 views
  CHECK(pairs[0].alike[0].value == Approx(4));
}

TEST_CASE("A summary says what was measured, and no more") {
  CHECK(summary({}).empty());
  StudyResult r;
  for (const char* views : {"1", "16"}) {
    const double more = views[1] ? 6 : 1;
    r.cells.push_back(simple_cell("MP-GPU", 4 * std::sqrt(more), {{"packing", "none"}, {"views", views}}));
    r.cells.push_back(simple_cell("AG-GPU", 4.8 * more, {{"packing", "none"}, {"views", views}}));
  }
  r.cells.push_back(simple_cell("AG-GPU", 96, {{"packing", "orbit"}, {"views", "16"}}));
  r.cells.push_back(simple_cell("compute", 960, {{"packing", "none"}}));
  auto answers = summary(r);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].title == "backprojection, cube64 x 90 views");
  CHECK(
      answers[0].sentences ==
      std::vector<std::string>{
          "compute is fastest: 960 GUPS ± 0.0 %.",
          "The best of the graphics pipeline (AG-GPU) takes 10.0 times (± 0.0 %) as long as the best kernel (compute).",
          "With equal options AG-GPU is 2.07 times as fast as MP-GPU (median of 2 pairs), from 1.20 (views per pass 1) "
          "to 2.94 (views per pass 16).",
          "MP-GPU is 2.45 times (± 0.0 %) as fast with 16 views per pass as with 1, AG-GPU is 6.00 times (± 0.0 %) as "
          "fast with 16 views per pass as with 1.",
          "The best packed variant is faster than the best unpacked one by a factor of: AG-GPU 3.33 ± 0.0 %."});

  r.environment = {{"multiprocessors that run fragments", "4"}, {"multiprocessors that run compute shaders", "132"}};
  answers = summary(r);
  REQUIRE(answers[0].sentences.size() == 6);
  CHECK(answers[0].sentences[0] == "4 of this card's 132 multiprocessors run fragment shaders. All run kernels.");
  CHECK_THAT(
      answers[0].sentences[2],
      Catch::Matchers::Contains("(compute). For each multiprocessor that can run it, it is 3.30 times as fast."));
}

TEST_CASE("An architecture that is slower with equal options is said to take longer") {
  StudyResult r;
  for (const char* views : {"1", "16"}) {
    r.cells.push_back(simple_cell("MP-GPU", 8, {{"views", views}}));
    r.cells.push_back(simple_cell("AG-GPU", views[1] ? 4 : 2, {{"views", views}}));
  }
  CHECK_THAT(
      summary(r).at(0).sentences.at(1),
      Catch::Matchers::Equals("With equal options AG-GPU takes 2.67 times as long as MP-GPU (median of 2 pairs), "
                              "from 2.00 (views per pass 16) to 4.00 (views per pass 1)."));
}

TEST_CASE("The graphics pipeline is compared with kernels of the same projector") {
  StudyResult r;
  r.cells = {simple_cell("MP-GPU", 8, {{"model", "joseph"}}), simple_cell("compute", 40, {{"model", "joseph"}}),
             simple_cell("CUDA", 600, {{"model", "sart_in_place"}})};
  CHECK_THAT(summary(r).at(0).sentences.at(1), Catch::Matchers::Contains("takes 5.00 times") &&
                                                   Catch::Matchers::Contains("as long as the best kernel (compute)"));
}

TEST_CASE("Limits that were exceeded are told at the top, not hidden") {
  StudyResult r;
  r.cells.push_back(simple_cell("AG-GPU", 5));
  r.cells[0].limit = "blend r32f";
  r.cells[0].share = 1.0;
  CHECK(exceeded_limits(r).empty());
  r.cells[0].share = 1.19;
  const std::string text =
      "1 configuration was faster than a limit, which therefore was measured too low: fragment, blend r32f (up to 1.19 "
      "times).";
  CHECK(exceeded_limits(r) == text);
  CHECK(contains(study_markdown(r), "**" + text + "**"));
  CHECK(contains(study_html(r), "<p class=\"warning\">" + text));
  CHECK(contains(study_html(r), "limit measured too low (1.19 of it)"));
}

TEST_CASE("Pairs of equal options pass over the one that makes two architectures different") {
  StudyResult r;
  for (const char* views : {"1", "8"}) {
    const double speed = views[0] == '8' ? 3 : 1;
    r.cells.push_back(simple_cell("AG-GPU", 10 * speed, {{"views", views}, {"kill", "none"}}));
    r.cells.push_back(simple_cell("AG-GPU+", 12 * speed, {{"views", views}, {"kill", "stencil"}}));
  }
  const auto pairs = duels(contests(r)[0]);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].alike.size() == 2);
  CHECK(middle_of(pairs[0].alike).value == Approx(1.2));
}

TEST_CASE("Sizes of workloads are read from their names") {
  const WorkloadSize size = workload_size("cube64 x 90 views, inscribed circle");
  CHECK(size.side == 64.0);
  CHECK(size.views == 90.0);
  CHECK(size.rest == "cube# x # views, inscribed circle");
  CHECK(workload_size("course512").side == 512.0);
  CHECK_FALSE(workload_size("head").side);
  StudyResult r;
  for (const char* workload : {"cube32 x 90 views", "cube64 x 90 views", "cube64 x 16 views"}) {
    r.cells.push_back(simple_cell("CPU", 3));
    r.cells.back().workload = workload;
  }
  const auto found = trends(r);
  REQUIRE(found.size() == 2);
  CHECK(found[0].of == "voxels along a side");
  CHECK(found[0].series[0].x == std::vector<double>{32, 64});
  CHECK(found[1].of == "number of views");
  CHECK(found[1].series[0].x == std::vector<double>{16, 90});
}

TEST_CASE("The difference of two studies tells what differs, what agrees and what is missing") {
  StudyResult a = sample_study(), b = a;
  CHECK(contains(study_difference(a, b), "0 of 118 configurations differ by more than their spreads"));
  CHECK(contains(study_difference(a, b), "The two agree within their spreads."));
  CHECK_FALSE(contains(study_difference(a, b), "say nothing"));
  a.cells[2].spread = 3;
  CHECK(contains(study_difference(a, b), "Of those that agree, 1 have spreads of 100 % and more, which say nothing."));
  a = b;
  for (double& seconds : b.cells[0].seconds) seconds /= 2;
  summarise(b.cells[0]);
  b.cells[1].status = StudyCell::Status::failed;
  b.cells[1].note = "an error";
  summarise(b.cells[1]);
  b.cells.pop_back();
  b.environment[0].second = "Other";
  const std::string text = study_difference(a, b);
  CHECK(contains(text, "1 of 116 configurations differ"));
  CHECK(contains(text, "## More than their spreads apart\n\n| Configuration | A | B | Unit | B / A |"));
  CHECK(contains(text, "| 2.00 ± "));
  CHECK(contains(text, "| measured | failed: an error |"));
  CHECK(contains(text, "## Only in A"));
  CHECK(contains(text, "| card | Imaginary \\<X1> & \"Y\" | Other |"));
  CHECK(contains(study_difference({}, b), "Nothing to compare"));

  for (StudyCell& cell : b.cells) {
    for (double& seconds : cell.seconds) seconds *= 1.2;
    summarise(cell);
  }
  CHECK(contains(study_difference(a, b), "The two do not agree within their spreads."));
}

TEST_CASE("How fast a machine was counts between two studies of it, not between machines") {
  StudyResult a = sample_study(), b = a;
  for (StudyCell& cell : b.cells) {
    for (double& seconds : cell.seconds) seconds *= 1.2;
    summarise(cell);
  }
  const auto add_yardsticks = [](StudyResult& r, double rate) {
    for (const char* through : {"CPU", "fragment", "compute", "CUDA"})
      r.ceilings.push_back({"yardstick, fma", through, rate, 0.01, "GFLOP/s"});
  };
  add_yardsticks(a, 12);
  CHECK(contains(study_difference(a, b), "The two do not agree within their spreads."));
  add_yardsticks(b, 10);
  const std::string text = study_difference(a, b);
  CHECK(contains(text, "0 of 118 configurations differ by more than their spreads"));
  CHECK(contains(text, "times: CPU 0.833, fragment 0.833, compute 0.833, CUDA 0.833."));
  b.environment[2].second = "16 threads";
  CHECK(contains(study_difference(a, b), "The two do not agree within their spreads."));
}

TEST_CASE("Numbers in reports have three digits and no exponent where that is short") {
  CHECK(number(0.2081) == "0.208");
  CHECK(number(37.84) == "37.8");
  CHECK(number(3784.3) == "3784");
  CHECK(number(99.96) == "100");
  CHECK(number(0) == "0");
  CHECK(number(1.5e-7) == "1.5e-07");
  CHECK(number(std::nan("")) == "not a number");
  CHECK(percent(0.5) == "50 %");
  CHECK(percent(0.0123) == "1.2 %");
  CHECK(duration(0.00125) == "1.25 ms");
  CHECK(amount(48.3e9) == "48.3 G");
  CHECK(amount(768) == "768");
  CHECK(with_spread(2, 1) == "2.00 ± ?");
}

TEST_CASE("Scales hold their values and end at round numbers") {
  for (const Growth growth : {Growth::linear, Growth::from_zero, Growth::logarithmic})
    for (const std::vector<double>& values :
         {std::vector<double>{}, {3}, {0.013, 970}, {1e-9, 1e9}, {5, 5}, {0.0201, 0.0213}}) {
      const Scale scale = scale_of(values, growth);
      INFO(values.size() << " values from " << scale.low << " to " << scale.high);
      CHECK(scale.ticks.size() >= 2);
      CHECK(scale.ticks.size() <= 10);
      for (const double v : values) {
        CHECK(scale.share(v) >= -1e-9);
        CHECK(scale.share(v) <= 1 + 1e-9);
      }
      for (const double tick : scale.ticks) CHECK(std::abs(scale.share(tick) - 0.5) <= 0.5 + 1e-9);
    }
  CHECK(tick_text(20) == "20");
  CHECK(tick_text(2e6) == "2e6");
}
