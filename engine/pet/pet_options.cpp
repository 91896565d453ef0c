#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <backlit/core/error.hpp>
#include <backlit/core/input_file.hpp>
#include <backlit/pet/reconstruction.hpp>

namespace backlit {

Parameters describe(PetOptions& o) {
  return {
      {"iterations", &o.iterations, "passes over all events", "", 1, 1e6},
      {"subsets", &o.subsets, "parts of the list, in the order of time; 1: MLEM", "", 1, 1e6},
      {"line", &o.line, "what an event sees: a tube of response or a thin line", "", 0, 0, {"tube", "joseph"}},
      {"tube", &o.tube, "shape across: gaussian, bessel, box, or a file with lines of `mm weight`"},
      {"tube_width", &o.tube_width, "FWHM of a Gaussian tube; 0: twice the voxels", "mm", 0, 1e3},
      {"tube_widths", &o.tube_widths, "FWHM by the line's distance from the axis: 0:4,60:5 (mm:mm); up to 16"},
      {"tube_widths_by", &o.tube_widths_by, "distance of the line or of its ends (depth)", "", 0, 0, {"line", "ends"}},
      {"tube_radius", &o.tube_radius, "where tubes end; 0: a Gaussian's width, else 1.5 voxels", "mm", 0, 1e3},
      {"image", &o.image, "values of voxels, or of two grids of blobs", "", 0, 0, {"voxels", "blobs"}},
      {"blob_radius", &o.blob_radius, "of blobs; 0: 1.25 times the voxels", "mm", 0, 1e3},
      {"tof", &o.tof, "use time of flight; auto: where events have it", "", 0, 0, {"auto", "on", "off"}},
      {"tof_resolution", &o.tof_resolution, "FWHM; 0: what the list says", "ps", 0, 1e5},
      {"tof_cut", &o.tof_cut, "standard deviations after which time of flight ends", "", 1, 8},
      {"tof_bin", &o.tof_bin, "over bins of quantised times", "", 0, 0, {"integrated", "sampled"}},
      {"no_scatter", &o.no_scatter, "leave out the events' scatter rates"},
      {"no_randoms", &o.no_randoms, "leave out the events' randoms rates"},
      {"psf", &o.psf, "resolution in image space, FWHM; 0: none", "mm", 0, 1e3},
      {"post_filter", &o.post_filter, "smooths the result, FWHM; 0: not", "mm", 0, 1e3},
      {"sensitivity_pairs", &o.sensitivity_pairs, "random pairs of crystals for the sensitivity; 0: all", "", 0, 1e12},
      {"sensitivity_seed", &o.sensitivity_seed, "of those pairs", "", 0, 1e15},
      {"keep_events", &o.keep_events, "most events to hold; longer lists are read at every iteration", "", 1, 1e10},
      {"sums", &o.sums, "cuda, gl; auto: fixed where all have a background", "", 0, 0, {"auto", "fixed", "floating"}},
      pipeline_parameter(o.pipeline),
      {"likelihood", &o.likelihood, "find the log-likelihood of each iteration"},
      {"checkpoint", &o.checkpoint, "file that takes the state, to go on from"},
      {"checkpoint_every", &o.checkpoint_every, "iterations between two checkpoints", "", 1, 1e6},
      {"resume", &o.resume, "checkpoint to go on from"},
  };
}

void check(const PetOptions& options) {
  PetOptions copy = options;
  for (const Parameter& p : describe(copy)) p.check();
  const bool blobs = options.image == "blobs", thin = options.line == "joseph";
  if (blobs && thin) throw InputError("line", "joseph knows voxels only", "take `line` tube, or `image` voxels");
  if (blobs && options.psf > 0) throw InputError("psf", "blobs have a shape of their own", "leave `psf` out");
  if (!blobs && options.blob_radius > 0) throw InputError("blob_radius", "the image has no blobs", "add `image` blobs");
  if ((thin || blobs) &&
      (options.tube_width > 0 || options.tube_radius > 0 || !options.tube_widths.empty() || options.tube != "gaussian"))
    throw InputError("tube", thin ? "thin lines have no width" : "blobs bring their own shape",
                     "leave the options of tubes out");
  if (!options.tube_widths.empty()) tube_widths_of(options.tube_widths);
  if (!options.tube_widths.empty() && options.tube_width > 0)
    throw InputError("tube_widths", "`tube_width` is given too", "leave one of them out");
  if (options.tube_widths.empty() && options.tube_widths_by != "line")
    throw InputError("tube_widths_by", "there is one width only", "give `tube_widths` too");
  if ((options.tube_width > 0 || !options.tube_widths.empty()) && options.tube != "gaussian")
    throw InputError(options.tube_width > 0 ? "tube_width" : "tube_widths", "only gaussian tubes have one",
                     "give `tube_radius`");
  if (options.tof == "off" && options.tof_resolution > 0)
    throw InputError("tof_resolution", "time of flight is off", "leave one of them out");
}

void read_files(PetOptions& o) {
  const bool named = o.tube == "gaussian" || o.tube == "bessel" || o.tube == "box";
  if (o.line == "tube" && !named) o.tube_profile = read_tube_profile(o.tube);
}

std::vector<std::array<double, 2>> tube_widths_of(const std::string& text) {
  std::vector<std::array<double, 2>> steps;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) {
    std::istringstream numbers(one);
    std::array<double, 2> step{};
    char colon = 0;
    if (!(numbers >> step[0] >> colon >> step[1]) || colon != ':' || !(numbers >> std::ws).eof())
      throw InputError("tube_widths", fmt::format("'{}' is not a distance and a width", one),
                       "give them like 0:4,60:5");
    if (steps.empty() ? step[0] != 0 : !(step[0] > steps.back()[0]))
      throw InputError("tube_widths", fmt::format("distance {} is {} mm", steps.size() + 1, step[0]),
                       "distances begin at 0 and ascend");
    if (!(step[1] > 0 && step[1] < 1e3))
      throw InputError("tube_widths", fmt::format("a width of {} mm", step[1]), "give a positive number of mm");
    steps.push_back(step);
  }
  if (steps.empty() || steps.size() > 16)
    throw InputError("tube_widths", fmt::format("has {} widths", steps.size()), "give 1 to 16, like 0:4,60:5");
  return steps;
}

std::vector<std::array<double, 2>> read_tube_profile(const std::string& file) {
  require_regular_file(file);
  std::ifstream in(file);
  if (!in)
    throw InputError(file, "cannot be read", "tubes are gaussian, bessel, box or a file with lines of: mm weight");
  std::vector<std::array<double, 2>> profile;
  std::int64_t number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    text.erase(std::min(text.find('#'), text.size()));
    std::istringstream line(text);
    std::array<double, 2> values{};
    std::string rest;
    if (!(line >> values[0])) {
      line.clear();
      if (line >> rest)
        throw InputError(file, fmt::format("line {}: '{}' is no number", number, rest), "give: mm weight");
      continue;
    }
    if (!(line >> values[1]) || line >> rest)
      throw InputError(file, fmt::format("line {} does not hold two numbers", number), "give: mm weight");
    profile.push_back(values);
    if (profile.size() > 1'000'000) throw InputError(file, "has more than a million lines", "is it a tube's profile?");
  }
  return profile;
}

}  // namespace backlit
