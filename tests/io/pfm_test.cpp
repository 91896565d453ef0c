// Portable float maps, and scans made of them.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <backlit/core/error.hpp>
#include <backlit/io/file_info.hpp>
#include <backlit/io/scans/scan_file.hpp>
#include <backlit/io/volumes/stack_reader.hpp>
#include "support/io/damage.hpp"
#include "support/io/io_samples.hpp"
#include "support/io/scan_folder.hpp"
#include "support/scratch.hpp"

using namespace backlit;
using test::counting;
using test::packed;
using test::read_stack;
using test::write_bytes;

namespace {

const std::vector<float> six{0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f};

}  // namespace

TEST_CASE("PFM images in either byte order, however their headers are laid out") {
  const test::Scratch folder;
  const std::string little = packed<float>(counting(6, 0.5), false), big = packed<float>(counting(6, 0.5), true);
  for (const std::string& bytes : {"Pf\n3 2\n-1\n" + little, "Pf\n3 2\n1.0\n" + big, "Pf 3 2 -1.000000 " + little,
                                   "Pf\r\n3 2\r\n-1.0\r\n" + little, "Pf\n3\n2\n-0.5\n" + little}) {
    write_bytes(folder / "a.dat", bytes);  // known by its content
    const StackInfo info = open_stack((folder / "a.dat").string())->info();
    CHECK(info.format == "pfm");
    CHECK(info.type == "f32");
    CHECK(info.columns == 3);
    CHECK(info.rows == 2);
    CHECK(info.images == 1);
    CHECK(read_stack(folder / "a.dat") == six);
  }
}

TEST_CASE("PFM files that cannot be read say why") {
  const test::Scratch folder;
  const auto error = [&](const std::string& bytes) -> std::string {
    write_bytes(folder / "a.pfm", bytes);
    try {
      read_stack(folder / "a.pfm");
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  using Catch::Matchers::Contains;
  const std::string data(24, '\0');
  CHECK_THAT(error("PF\n3 2\n-1\n" + data), Contains("a.pfm: holds colours (PF)"));
  CHECK_THAT(error("P5\n3 2\n255\n" + data), Contains("is not a .pfm file"));
  CHECK_THAT(error("Pf\n3 2\n"), Contains("its header ends too early"));
  CHECK_THAT(error("Pf\n3 x\n-1\n" + data), Contains("the number of rows is 'x'"));
  CHECK_THAT(error("Pf\n3 -2\n-1\n" + data), Contains("its size is 3 x -2 x 1"));
  CHECK_THAT(error("Pf\n3 2\n0\n" + data), Contains("its byte order is 0"));
  CHECK_THAT(error("Pf\n3 2\nnan\n" + data), Contains("the byte order is 'nan'"));
  CHECK_THAT(error("Pf\n3 2\n-1\n" + data.substr(1)), Contains("holds 33 bytes where its header asks for 3 x 2 x 1"));
  CHECK_THAT(error("Pf\n2147483648 2147483648\n-1\n" + data), Contains("asks for") || Contains("its size is"));
}

TEST_CASE("damaged PFM files are refused or read, and never worse") {
  const test::Scratch folder;
  write_bytes(folder / "a.pfm", "Pf\n3 2\n-1\n" + packed<float>(counting(6), false));
  const int refused = test::read_damaged(
      folder / "a.pfm", folder / "victim.pfm", [](const std::filesystem::path& path) { describe_file(path.string()); },
      160, 10);
  CHECK(refused > 60);
}

TEST_CASE("a scan of PFM images whose integrals are scaled") {
  const test::ScanFolder folder;
  for (int i = 0; i < 12; ++i)
    folder.write(fmt::format("p{}.pfm", i), "Pf\n3 2\n-1\n" + packed<float>(counting(6, 10 * i), false));
  const std::string scan =
      "[detector]\npixel_mm = 1\n[trajectory]\nkind = 'parallel'\n[data]\nprojections = 'p*.pfm'\n";
  const ScanFile file = load_scan(folder.write("a.scan.toml", scan + "scale = -0.5\n"));
  CHECK(file.scan.view_count() == 12);
  std::vector<float> view(6);
  file.projections->read(10, 1, view);  // natural order: p10.pfm follows p9.pfm
  CHECK(view == std::vector<float>{-50, -50.5f, -51, -51.5f, -52, -52.5f});

  const auto message = [&](const std::string& more) -> std::string {
    try {
      load_scan(folder.write("a.scan.toml", scan + more));
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  CHECK(message("") == "no error");
  CHECK_THAT(message("scale = 0\n"), Catch::Contains("a.scan.toml:7: [data] scale: 0 leaves nothing"));
  CHECK_THAT(message("scale = 2\nkind = 'counts'\n"),
             Catch::Contains("[data] scale: counts become line integrals without it"));
  CHECK_THAT(message("scale = 'cm'\n"), Catch::Contains("[data] scale"));
  CHECK_THROWS_WITH(load_scan(folder / "p0.pfm"), Catch::Contains("images without a geometry"));
}

TEST_CASE("a sinogram is scaled once") {
  const test::ScanFolder folder;
  folder.write("s.pfm", "Pf\n3 2\n-1\n" + packed<float>(counting(6), false));
  const ScanFile file = load_scan(folder.write("a.scan.toml",
                                               "[detector]\nrows = 1\npixel_mm = 1\n[trajectory]\nkind = 'parallel'\n"
                                               "[data]\nprojections = 's.pfm'\nscale = 10\n"));
  REQUIRE(file.scan.view_count() == 2);
  std::vector<float> view(3);
  for (int again = 0; again < 2; ++again) {
    file.projections->read(1, 1, view);
    CHECK(view == std::vector<float>{30, 40, 50});
  }
}
