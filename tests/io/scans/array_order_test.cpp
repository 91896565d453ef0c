// Projections whose array has its views along another dimension than usual.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <backlit/core/error.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include "support/io/mat_sample.hpp"
#include "support/io/npz_sample.hpp"
#include "support/io/scan_folder.hpp"

using namespace backlit;
using Catch::Contains;
using test::counting_mat;
using test::counting_npy;
using test::ScanFolder;

namespace array_order_test {
namespace {

/// A scan of `views` views of `columns` x `rows` pixels from a file, and more of [data].
ScanFile load(const ScanFolder& folder, const std::string& sizes, const std::string& file, const std::string& more) {
  return load_scan(folder.write("a.scan.toml", "[detector]\npixel_mm=1\n" + sizes +
                                                   "[trajectory]\nkind='circular'\nsource_to_axis_mm=400\n"
                                                   "source_to_detector_mm=600\n[data]\nprojections='" +
                                                   file + "'\n" + more));
}

std::string refusal(const ScanFolder& folder, const std::string& sizes, const std::string& file,
                    const std::string& more) {
  try {
    load(folder, sizes, file, more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Value of (view, row, column).
float at(const ScanFile& file, std::int64_t view, std::int64_t row, std::int64_t column) {
  const Detector& d = file.scan.detector;
  std::vector<float> image(static_cast<std::size_t>(d.pixels()));
  file.projections->read(view, 1, image);
  return image[static_cast<std::size_t>(row * d.columns + column)];
}

}  // namespace

TEST_CASE("The order of an array's dimensions can be told, for MATLAB from its size() and for NumPy from its shape") {
  const ScanFolder folder;
  constexpr std::int64_t views = 5, rows = 3, columns = 4;
  const std::map<std::string, std::int64_t> size{{"view", views}, {"row", rows}, {"column", columns}};
  std::vector<std::string> words{"column", "row", "view"};
  do {
    INFO(words[0] << " " << words[1] << " " << words[2]);
    std::map<std::string, std::int64_t> step;  // in MATLAB's file
    std::int64_t one = 1;
    for (const std::string& word : words) step[word] = std::exchange(one, one * size.at(word));
    const auto check = [&](const ScanFile& file) {
      REQUIRE(file.scan.view_count() == views);
      REQUIRE(file.scan.detector.rows == rows);
      REQUIRE(file.scan.detector.columns == columns);
      CHECK(at(file, 3, 1, 2) == static_cast<float>(3 * step["view"] + step["row"] + 2 * step["column"]));
      CHECK(at(file, 4, 2, 3) == 59);
    };
    std::vector<std::uint32_t> dimensions;
    for (const std::string& word : words) dimensions.push_back(static_cast<std::uint32_t>(size.at(word)));
    folder.write("p.mat", counting_mat(dimensions));
    check(load(folder, "", "p.mat", "order = \"" + words[0] + " " + words[1] + " " + words[2] + "\""));
    folder.write("p.npy", counting_npy({dimensions[2], dimensions[1], dimensions[0]}));
    check(load(folder, "", "p.npy", "order = \"" + words[2] + " " + words[1] + " " + words[0] + "\""));
  } while (std::ranges::next_permutation(words).found);
}

TEST_CASE("Sinograms whose views lie along the first dimension of MATLAB's array") {
  const ScanFolder folder;
  folder.write("s.mat", counting_mat({5, 4}));  // 5 views of 4 columns; a view's columns lie 5 values apart
  for (const std::string order : {"view column", "view column row"}) {
    INFO(order);
    const ScanFile file = load(folder, "", "s.mat", "order = \"" + order + "\"");
    CHECK(file.scan.detector.rows == 1);
    REQUIRE(file.scan.view_count() == 5);
    CHECK(at(file, 3, 0, 2) == 13);
  }
  CHECK(load(folder, "", "s.mat", "").scan.view_count() == 4);  // as before: the first dimension is x
  folder.write("i.mat", counting_mat({3, 4}));                  // an image, as MATLAB has them
  const ScanFile image = load(folder, "rows=3\n", "i.mat", "order = \"row column\"");
  CHECK(image.scan.view_count() == 1);
  CHECK(at(image, 0, 2, 1) == 5);
}

TEST_CASE("Flats and darks have the order of their projections") {
  const ScanFolder folder;
  folder.write("p.npy", counting_npy({3, 5, 4}));
  folder.write("f.npy", counting_npy({3, 2, 4}));
  folder.write("d.npy", counting_npy({3, 4}));
  const ScanFile file =
      load(folder, "", "p.npy", "order='row view column'\nkind='counts'\nflats='f.npy'\ndarks='d.npy'");
  std::vector<float> flat(12), dark(12);
  REQUIRE(file.flats->scan().view_count() == 2);
  file.flats->read(1, 1, flat);
  CHECK(flat[0] == 4);
  CHECK(flat[11] == 23);
  file.darks->read(0, 1, dark);
  CHECK(dark[11] == 11);
}

TEST_CASE("An order that cannot be meant is refused, with what to write") {
  const ScanFolder folder;
  folder.write("p.npy", counting_npy({3, 5, 4}));
  const auto order = [&](const std::string& words) { return refusal(folder, "", "p.npy", "order='" + words + "'"); };
  CHECK_THAT(order("view z column"),
             Contains("[data] order: ") && Contains("there is no 'z'") && Contains("order = \"view row column\""));
  CHECK_THAT(order("view view column"), Contains("view is there twice"));
  CHECK_THAT(order("view column"), Contains("2 words for an array of 3 x 5 x 4"));
  CHECK_THAT(order(""), Contains("0 words"));
  folder.write("v.pfm", "Pf\n2 1\n-1.0\n" + test::packed<float>({1, 2}, false));
  CHECK_THAT(refusal(folder, "", "v.pfm", "order='view row column'"), Contains("pfm files hold images"));
  // Without an order, what would fit.
  CHECK_THAT(refusal(folder, "columns=4\nrows=3\n", "p.npy", ""),
             Contains("[detector] rows: 3 rows where the projections have 5") &&
                 Contains("write order = \"row view column\" in [data], which fits their array of 3 x 5 x 4"));
  CHECK_THAT(refusal(folder, "columns=7\n", "p.npy", ""), Contains("leave it out: the data say"));
}

}  // namespace array_order_test
