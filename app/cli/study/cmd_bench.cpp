#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/projectors/projector.hpp>
#include <backlit/recon/methods/sart_in_place.hpp>
#include <backlit/render/volume_rendering.hpp>
#include <backlit/version.hpp>
#include "command.hpp"
#include "json_text.hpp"
#include "open_session.hpp"
#include "options/line_models.hpp"
#include "save_trace.hpp"
#include "study/analysis.hpp"
#include "study/bench/bench.hpp"
#include "study/bench/bench_fdk.hpp"
#include "study/bench/bench_recon.hpp"
#include "study/bench/bench_render.hpp"
#include "study/bench/bench_views.hpp"
#include "study/bench_lines_option.hpp"
#include "study/bench_peers.hpp"
#include "study/bench_quality.hpp"
#include "study/studied_kernels.hpp"

namespace backlit::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchArguments {
  std::vector<std::string> cases;
  std::string operation = "backprojection", precision = "all", packing, variant, against, mode, trace;
  std::int64_t repeats = 5, size = 1024;
  double step = 0.5;  ///< raycast only
  bool rmse = false, analysis = false;
  bool timings = false;
  std::vector<std::string> given;                                     ///< parameters that the command line sets
  std::string method = "sart", back_model = "matched", back_variant;  ///< iterations only
  std::string model = "joseph";                                       ///< iterations and projections
  std::int64_t subsets = 1;
  EmissionWords emission;
  HeadOptions head;
  std::int64_t supersample = 1;
  LinesOption lines;
  QualityOption quality;
  Console console;
  DeviceOptions backend;
  std::shared_ptr<std::vector<std::string>> left_out =
      std::make_shared<std::vector<std::string>>();  ///< reasons, each once; shared by copies
};

/// Notes a case that could not be timed. The reasons are printed at the end, or thrown if nothing was timed.
void leave_out(const BenchArguments& o, const std::string& reason) {
  if (std::ranges::count(*o.left_out, reason) == 0) o.left_out->push_back(reason);
}

/// Methods that have iterations.
std::vector<std::string> iterative_methods() { return methods_with("iterations"); }

Parameters describe(BenchArguments& o) {
  Parameters list{
      {"operation",
       &o.operation,
       "what to time; all: backprojection, fdk, projection, transpose and slice, others only by name",
       "",
       0,
       0,
       {"backprojection", "projection", "transpose", "slice", "iteration", "filter", "render", "fdk", "d2vr", "all"}},
      {"mode", &o.mode, "render, d2vr: which mode (default: each in turn)", "", 0, 0, volume_mode_names()},
      {"size", &o.size, "render, d2vr: side of the picture", "px", 16, 8192},
      {"precision",
       &o.precision,
       "exact: interpolation in software; fast: in hardware; half: fp16 storage; all: each in turn",
       "",
       0,
       0,
       {"exact", "fast", "half", "all"}},
      {"packing",
       &o.packing,
       "values that share a texel; all: each packing of the backend (default: none, with --variant all all of them)",
       "",
       0,
       0,
       {"auto", "none", "slices", "orbit", "all"}},
      {"model", &o.model,
       "of projections, transposes and iterations (backprojection is voxel_driven, slices need none)", "", 0, 0,
       line_models()},
      {"variant", &o.variant,
       "a backend's own name for a variant (filter: host, fft, convolution); several are separated by ';'; all: each "
       "that it names, of the precision and the packing where these are given"},
      {"repeats", &o.repeats,
       "timed runs, at least, after a warm-up of one run and, of short ones, 0.3 s (what takes over 5 s is timed at "
       "once, but iterations)",
       "", 1, 1000},
      {"method", &o.method, "of iterations", "", 0, 0, iterative_methods()},
      {"subsets", &o.subsets, "of iterations", "", 1, 1e6},
      {"step", &o.step, "raycast: distance of samples, in voxels", "", 0.01, 2},
      {"back_model", &o.back_model, "of iterations", "", 0, 0, {"matched", "voxel_driven"}},
      {"back_variant", &o.back_variant, "the backend's own name for a variant of the back model"},
      {"timings", &o.timings,
       "time each pass on the device: of one more iteration; of other operations the plan and all runs, which "
       "slows them a little"},
      {"analysis", &o.analysis,
       "time CUDA's kernels A and B whole and with parts left out (Zinsser and Keck 2013), in place of operations"},
      {"rmse", &o.rmse,
       "simulate a head and report the error (slow): HU against double precision at 20,000 random voxels of the middle "
       "70 % of each axis, and RabbitCT's error at as many of the whole grid; of projections, transposes by joseph and "
       "emission relative L2"},
      choice("window", o.head.filter.window, "window of the head's ramp filter",
             {"ram-lak", "shepp-logan", "cosine", "hann", "hamming"}),
      {"supersample", &o.supersample, "rays along each side of a pixel of the head; 1: sharper than any detector", "",
       1, 8}};

  for (Parameter& p : describe(o.emission))
    if (p.name != "attenuation") list.push_back(std::move(p));  // it does not change the time
  for (Parameter& p : describe(o.lines)) list.push_back(std::move(p));
  for (Parameter& p : describe(o.quality)) list.push_back(std::move(p));
  return list;
}

std::vector<std::string> named_variants(const BenchArguments& o) {
  std::vector<std::string> variants;
  std::istringstream given(o.variant);
  for (std::string one; std::getline(given, one, ';');) variants.push_back(one);
  return variants;
}

std::vector<std::string> choices_of(const std::string& value, std::vector<std::string> all) {
  return value == "all" ? std::move(all) : std::vector<std::string>{value};
}

/// The requested combinations of precision, packing and variant. Notes a backend that names no variants.
std::vector<CtOptions> combinations(const BenchArguments& o, const Backend& backend, Model model) {
  const auto asked = [](const std::string& value, const char* name) {
    return value.empty() || value == "all" || value == name;
  };
  if (o.variant == "all") {
    auto named = backend.variants(model);
    if (named.empty()) leave_out(o, fmt::format("{} names no variants of {}", backend.name(), name(model)));
    std::erase_if(named, [&](const CtOptions& c) {
      return !asked(o.precision, name(c.precision)) || !asked(o.packing, name(c.packing));
    });
    for (CtOptions& c : named) c.step = o.step;
    return named;
  }
  std::vector<std::string> packings;
  if (const ProjectorInfo* projector = find_projector(backend.name(), model))
    for (const Packing p : projector->packings)
      if (p != Packing::automatic) packings.emplace_back(name(p));
  std::vector<CtOptions> result;
  std::vector<std::string> variants = named_variants(o);
  if (variants.empty()) variants.emplace_back();
  for (const std::string& precision : choices_of(o.precision, {"exact", "fast", "half"}))
    for (const std::string& packing : choices_of(o.packing.empty() ? "none" : o.packing, packings)) {
      CtOptions c;
      c.model = model;
      c.step = o.step;
      c.precision = precision_from(precision);
      c.packing = packing_from(packing);
      for (const std::string& variant : variants) {
        c.variant = variant;
        result.push_back(c);
      }
    }
  return result;
}

/// Drops --variant all for slices and D2VR, whose variants no backend lists.
BenchArguments without_all(BenchArguments o) {
  if (o.variant == "all") o.variant.clear();
  return o;
}

void print_header(const BenchArguments& o) {
  if (o.console.json || o.console.quiet) return;
  fmt::print("{:<12} {:<15} {:<36} {:>10} {:>10} {:>4} {:>9}\n", "case", "operation", "variant", "median ms", "min ms",
             "runs", "rate");
}

void print_row(const BenchArguments& o, const BenchRow& r) {
  if (o.console.json || o.console.quiet) return;
  fmt::print("{:<12} {:<15} {:<36} {:>10.3f} {:>10.3f} {:>4} {:>9.4g} {:<12}{}\n", r.case_name, r.operation, r.variant,
             1e3 * r.seconds.median, 1e3 * r.seconds.min, r.seconds.repeats, r.rate, r.unit,
             r.rmse       ? fmt::format(" {:.4f} HU", *r.rmse)
             : r.relative ? fmt::format(" {:.2e} off double", *r.relative)
                          : "");
  if (r.rabbitct)
    fmt::print(
        "{:<12} {:<15} all of the volume, RabbitCT's range of 12 bits: {:.4f} HU r.m.s., {:.3g} HU at most, {:.1f} "
        "dB\n",
        "", "", r.rabbitct->rmse_hu, r.rabbitct->max_hu, r.rabbitct->psnr_db);
  std::fflush(stdout);
}

Json to_json(const BenchRow& r, const Peers& peers) {
  Json against = Json::array();
  for (const Peers::Row& peer : peers.of(r))
    against.push_back({{"variant", peer.variant}, {"rate", peer.rate}, {"source", peer.source}});
  return {{"case", r.case_name},
          {"operation", r.operation},
          {"variant", r.variant},
          {"median_s", r.seconds.median},
          {"min_s", r.seconds.min},
          {"max_s", r.seconds.max},
          {"repeats", r.seconds.repeats},
          {"rate", r.rate},
          {"unit", r.unit},
          {"rmse", r.rmse ? Json(*r.rmse) : Json()},
          {"relative", r.relative ? Json(*r.relative) : Json()},
          {"rabbitct", r.rabbitct ? Json{{"rmse_hu", r.rabbitct->rmse_hu},
                                         {"max_hu", r.rabbitct->max_hu},
                                         {"psnr_db", r.rabbitct->psnr_db}}
                                  : Json()},
          {"against", against}};
}

void print_against(const BenchArguments& o, const Peers& peers, const BenchRow& r) {
  if (o.console.json || o.console.quiet) return;
  for (const Peers::Row& peer : peers.of(r))
    fmt::print("{:<12} {:<15} {:<58} {:>15.4g} {:<12} ours: {:.2f} times\n", "", "",
               "  against " + (peer.variant.empty() ? "another" : peer.variant), peer.rate, r.unit, r.rate / peer.rate);
}

/// Parameters of the command line that are passed to the method unchanged.
const std::vector<std::string>& taken_by_iterations() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"subsets", "back_model"};
    EmissionWords emission;
    for (const Parameter& p : describe(emission)) list.push_back(p.name);
    return list;
  }();
  return names;
}

BenchRow iteration(const BenchArguments& o, Backend& backend, const BenchCase& c, const std::string& precision) {
  Method recon(o.method);
  const auto set = [&](const char* name, const std::string& value) {
    if (recon.has(name) || std::ranges::count(o.given, name) > 0) recon.set(name, value);
  };
  set("model", o.model);
  set("precision", precision);
  set("packing", o.packing.empty() ? "none" : o.packing == "all" ? "auto" : o.packing);
  if (auto* choices = recon.get<OperatorOptions>()) choices->choices.variant = o.variant;
  if (auto* pair = recon.get<BackModelOptions>()) pair->back_variant = o.back_variant;
  if (auto* in_place = recon.get<SartInPlaceOptions>()) in_place->operation.variant = o.variant;
  BenchArguments mine = o;
  for (const Parameter& p : describe(mine))
    if (std::ranges::count(taken_by_iterations(), p.name) > 0 && std::ranges::count(o.given, p.name) > 0)
      recon.set(p.name, p.text());
  PassTimes passes;
  const BenchRow row = bench_iteration(backend, c, recon, o.repeats, o.timings ? &passes : nullptr);
  print_passes(passes, o.console);
  return row;
}

/// Calls a function that makes a row; if it fails, notes the reason.
using Attempt = std::function<void(const std::function<std::optional<BenchRow>()>&)>;

void run_projection(const BenchArguments& o, Backend& backend, const BenchCase& c, const Attempt& attempt) {
  const Model model = model_from(o.model);
  BenchRays head;
  attempt([&]() -> std::optional<BenchRow> {
    if (o.rmse) head = head_rays(c, {.model = model, .step = o.step});
    return {};
  });
  std::map<StackChoice, std::vector<double>> truths{{StackChoice::automatic, head.values}};
  for (const CtOptions& options : combinations(o, backend, model))
    attempt([&] {
      if (!head.rays.empty()) {
        CtOptions followed = options;  // as in the plan, which may choose stacks itself
        followed.stack = stack_of(options, backend.make_ct(c.grid, c.scan, options)->variant());
        if (!truths.contains(followed.stack)) truths[followed.stack] = rays_in_double(c, head, followed);
        head.values = truths[followed.stack];
      }
      return bench_projection(backend, c, options, o.repeats, head);
    });
}

void run_transpose(const BenchArguments& o, Backend& backend, const BenchCase& c, const Attempt& attempt) {
  const BenchData data = random_views(c);
  for (const CtOptions& options : combinations(o, backend, model_from(o.model)))
    attempt([&] { return bench_backprojection(backend, c, options, data, o.repeats, o.rmse); });
}

/// The requested variants of emission.
std::vector<EmissionOptions> emission_variants(BenchArguments o, const Backend& backend) {
  std::vector<EmissionOptions> variants;
  const auto add = [&](Precision p, const std::string& variant) {
    variants.push_back(emission_options(o.emission, p));
    variants.back().variant = variant;
  };
  if (o.variant == "all") {
    for (const EmissionOptions& named : backend.emission_variants())
      if (o.precision == "all" || o.precision == name(named.precision)) add(named.precision, named.variant);
    if (variants.empty()) leave_out(o, fmt::format("{} names no variants of emission", backend.name()));
    return variants;
  }
  o.packing = "none";  // emission has no packings
  for (const CtOptions& named : combinations(o, backend, Model::joseph)) add(named.precision, named.variant);
  return variants;
}

void run_emission(const BenchArguments& o, Backend& backend, const BenchCase& c, const Attempt& attempt) {
  for (const auto& [operation, part] :
       {std::pair{"projection", EmissionPart::forward}, {"transpose", EmissionPart::back}})
    if (o.operation == "all" || o.operation == operation)
      for (const EmissionOptions& options : emission_variants(o, backend))
        attempt([&] { return bench_emission(backend, c, options, part, o.rmse, o.repeats); });
}

/// The requested variants of the filter. Throws InputError for unknown names.
std::vector<FilterVariant> filter_variants(const BenchArguments& o) {
  const std::vector<FilterVariant> all{FilterVariant::host, FilterVariant::fft, FilterVariant::convolution};
  if (o.variant.empty() || o.variant == "all") return all;
  std::vector<FilterVariant> variants;
  for (const std::string& asked : named_variants(o)) {
    const auto found = std::ranges::find_if(all, [&](FilterVariant v) { return asked == name(v); });
    if (found == all.end())
      throw InputError("variant", fmt::format("there is no filter '{}'", asked), "choose host, fft or convolution");
    variants.push_back(*found);
  }
  return variants;
}

/// Renames recon's parameter `filter_variant` to `variant`, its name here.
Unsupported in_words_of_bench(const Unsupported& reason) {
  std::string text = reason.what();
  constexpr std::string_view theirs = "`filter_variant`", ours = "`variant`";
  if (const auto at = text.find(theirs); at != std::string::npos) text.replace(at, theirs.size(), ours);
  return {"", text};
}

/// Times 1,000 to 1e8 values, two sizes in each decade.
void run_filter(const BenchArguments& o, Backend& backend, const BenchCase& c, const Attempt& attempt) {
  for (const FilterVariant variant : filter_variants(o))
    for (const bool resident : {false, true})
      for (std::int64_t decade = 1000; decade <= 100'000'000; decade *= 10)
        for (const std::int64_t values : {decade, 3 * decade})
          if (values <= 100'000'000)
            attempt([&] {
              try {
                return bench_filter(backend, c, variant, resident, values, o.repeats);
              } catch (const Unsupported& reason) {
                throw in_words_of_bench(reason);
              }
            });
}

/// Refuses options of the command line that would have no effect.
void refuse_idle(const BenchArguments& o) {
  const auto idle = [&](const std::string& name, bool used, const char* problem, const char* remedy) {
    if (!used && std::ranges::count(o.given, name) > 0) throw InputError(name, problem, remedy);
  };
  const auto asked = [&](const char* operation) { return o.operation == operation; };
  const bool all = asked("all"), iteration = asked("iteration"), rays = asked("projection") || asked("transpose");
  const bool emission = o.model == "emission", pictures = asked("render") || asked("d2vr");
  const bool fdk = all || asked("fdk"), back = all || asked("backprojection");
  for (const char* name : {"method", "subsets", "back_model", "back_variant"})
    idle(name, iteration, "only iterations take it", "add --operation iteration");
  idle("model", all || rays || iteration, "only rays have models",
       "add --operation projection, transpose or iteration");
  idle("step", (all || rays) && o.model == "raycast", "only projections and transposes by raycast take it",
       "use --model raycast with --operation projection or transpose");
  if (asked("filter")) filter_variants(o);
  for (const char* name : {"precision", "packing"})
    idle(name, !asked("filter"), "filters have one precision and no packing", "leave it out");
  for (const char* name : {"mode", "size"})
    idle(name, pictures, "only pictures have one", "add --operation render or d2vr");
  idle("window", fdk || (back && o.rmse), "nothing is filtered", "add --operation fdk, or --rmse to a backprojection");
  idle("supersample", o.rmse && (fdk || back), "no head is simulated",
       "add --rmse to --operation backprojection or fdk");
  idle("rmse",
       fdk || back || asked("slice") || asked("projection") || (emission && rays) ||
           (asked("transpose") && o.model == name(Model::joseph)),
       "its error is not measured", "leave it out");
  idle("timings", !pictures && !o.analysis, "no passes are timed there", "leave it out");
  BenchArguments defaults;
  for (const Parameter& p : describe(defaults.emission))
    idle(p.name, emission && (all || rays || iteration), "only emission has it", "add --model emission");
  for (const Parameter& p : describe(defaults.lines))
    idle(p.name, std::ranges::any_of(o.cases, is_line_case), "only lines of response have it",
         "add a case such as lm75");
  for (const Parameter& p : describe(defaults.quality))
    idle(p.name, o.quality.on, "only curves of quality have it", "add --quality");
  if (o.quality.on)
    for (const std::string& name : o.given)
      idle(name, name == "precision" || std::ranges::count(describe(defaults.quality), name, &Parameter::name) > 0,
           "curves of quality do not take it", "leave it out");
  if (!o.trace.empty() && !fdk) throw InputError("trace", "only fdk has stages", "add --operation fdk");
  if (emission && rays && !o.packing.empty() && o.packing != "none")
    throw InputError("packing", "emission has no packing", "leave it out");
  if (iteration && (o.variant == "all" || o.variant.find(';') != std::string::npos))
    throw InputError("variant", "iterations are timed with one variant", "name one, or leave it out");
}

void run_fdk(const BenchArguments& o, Backend& backend, const BenchCase& c, const Attempt& attempt) {
  std::optional<Timeline> last;
  for (const BenchInput input : {BenchInput::u16, BenchInput::f32}) {
    HeadOptions head = o.head;
    head.supersampling = static_cast<int>(o.supersample);
    head.keep_integrals = true;
    if (input == BenchInput::u16) head.open = open_counts;
    const BenchData data = o.rmse ? head_views(c, head) : BenchData{};
    const BenchHost host(backend, c, input, o.rmse ? &data : nullptr);
    for (const CtOptions& options : combinations(o, backend, Model::voxel_driven))
      attempt([&] {
        FdkPipelineOptions cuts;
        cuts.filter = head.filter;
        FdkBench whole(backend, host, options, cuts);
        const BenchRow row = whole.run(o.repeats);
        last = whole.timeline();
        return row;
      });
  }
  if (last) save_trace(*last, o.trace, o.console);
}

using Report = std::function<void(const BenchRow&)>;

void run_case(const BenchArguments& o, Backend& backend, const BenchCase& c, const Report& report) {
  const auto attempt = [&](auto&& work) {
    interrupt().check();
    const bool passes = o.timings && o.operation != "iteration";
    try {
      if (passes) backend.time_passes(true);
      const std::optional<BenchRow> row = work();
      if (row) report(*row);
      if (row && passes) print_passes(backend.pass_times(), o.console);
    } catch (const Unsupported& reason) {
      leave_out(o, fmt::format("{}: left out: {}", c.name, reason.what()));
    }
    if (passes) backend.time_passes(false);
  };
  if (o.analysis) {
    const BenchData data = random_views(c);
    const Precision precision = o.precision == "all" ? Precision::fast : precision_from(o.precision);
    for (const CtOptions& kernel : analysed_kernels(backend, precision)) {
      interrupt().check();
      for (const BenchRow& row : analyse(backend, c, kernel, data, o.repeats)) report(row);
    }
    return;
  }
  if (o.operation == "render") bench_rendering(backend, c, o.mode, o.size, o.repeats, report);
  const auto asked = [&](const char* operation) { return o.operation == "all" || o.operation == operation; };
  if (asked("backprojection")) {
    HeadOptions head = o.head;
    head.supersampling = static_cast<int>(o.supersample);
    const BenchData data = o.rmse ? head_views(c, head) : random_views(c);
    for (CtOptions options : combinations(o, backend, Model::voxel_driven)) {
      options.weighting = Weighting::fdk;
      attempt([&] { return bench_backprojection(backend, c, options, data, o.repeats); });
    }
  }
  if (asked("fdk")) run_fdk(o, backend, c, attempt);
  if (o.model == "emission") {
    run_emission(o, backend, c, attempt);
  } else {
    if (asked("projection")) run_projection(o, backend, c, attempt);
    if (asked("transpose")) run_transpose(o, backend, c, attempt);
  }
  if (o.operation == "filter") run_filter(o, backend, c, attempt);
  if (o.operation == "iteration") {
    std::vector<std::string> precisions = choices_of(o.precision, {"exact", "fast", "half"});
    if (!Method(o.method).has("precision")) precisions.resize(1);
    for (const std::string& precision : precisions) attempt([&] { return iteration(o, backend, c, precision); });
  }
  if (asked("slice")) {
    const BenchData data = o.rmse ? head_views(c) : random_views(c);
    for (const CtOptions& options : combinations(without_all(o), backend, Model::voxel_driven))
      if (options.packing == Packing::none) attempt([&] { return bench_slice(backend, c, options, data, o.repeats); });
  }
  if (o.operation == "d2vr")
    bench_d2vr(backend, c, combinations(without_all(o), backend, Model::voxel_driven), o.mode, o.size, o.repeats,
               report);
}

void bench(const BenchArguments& o) {
  refuse_idle(o);
  const Peers peers(o.against);
  std::vector<BenchCase> cases;
  std::vector<std::string> line_cases;
  for (const std::string& name : o.cases) {
    if (is_line_case(name))
      line_cases.push_back(name);
    else
      cases.push_back(bench_case(name));
  }
  register_studied_kernels();
  const auto backend = start_backend(o.backend, o.console);
  o.console.say("device", device_text(*backend));
  Json rows = Json::array();
  const Report report = [&](const BenchRow& row) {
    if (rows.empty()) print_header(o);
    print_row(o, row);
    print_against(o, peers, row);
    rows.push_back(to_json(row, peers));
  };
  if (o.quality.on) {
    if (cases.size() != 1 || !line_cases.empty())
      throw InputError("quality", "needs exactly one case of views", "give one, as head96 or cone512");
    return run_quality(o.quality, *backend, cases.front(), o.precision, o.console);
  }
  for (const BenchCase& c : cases) run_case(o, *backend, c, report);
  LinesOption lines = o.lines;
  lines.lines.variant = o.variant;
  for (const std::string& name : line_cases) run_lines(lines, *backend, name, o.repeats, o.console, report);
  if (rows.empty())
    throw InputError("bench", "nothing could be timed",
                     o.left_out->empty() ? "choose another operation" : fmt::to_string(fmt::join(*o.left_out, "; ")));
  for (const std::string& reason : *o.left_out) o.console.warn(reason);
  const Json json{
      {"environment", {{"backend", backend->name()}, {"device", backend->device()}, {"version", version()}}},
      {"rows", rows}};
  o.console.print_json(json_text(json));
}

std::string list_of_cases() {
  std::string text = "Cases:\n";
  for (const std::string& name : bench_case_names()) text += fmt::format("  {:<12} {}\n", name, bench_case(name).about);
  return text +
         "  headN         N^3, 360 views of N x N pixels (cone512 at other sizes)\n"
         "  lm75, lm256, lmN  random lines of response through 75 x 75 x 26 voxels of 4 mm, or N^3 in a 300 mm cube\n";
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("bench", "Time operators on the benchmark cases");
  const auto o = std::make_shared<BenchArguments>();
  command->add_option("CASE", o->cases, "one or more cases, listed below")->required();
  command
      ->add_option(
          "--against", o->against,
          "JSON with rows of other programs, printed beside ours; peers: those that we ship (ASTRA, TIGRE, LEAP, ...)")
      ->type_name("FILE");
  command->add_option("--trace", o->trace, "when each stage of the last fdk run took place, in Chrome's trace format")
      ->type_name("FILE.json");
  add_parameter_flags(*command, describe(o->backend), "Method");
  add_parameter_flags(*command, describe(*o), "Benchmark", &o->given);
  o->console.add_flags(*command, true);
  command->footer(list_of_cases() +
                  "GUPS: 1e9 voxel updates a second, all voxels times all views. Data are on the device already.\n"
                  "Example: backlit bench cone512 --backend cuda --packing all --rmse --json");
  command->callback([o, &action] { action = [o] { bench(*o); }; });
}

}  // namespace backlit::cli
