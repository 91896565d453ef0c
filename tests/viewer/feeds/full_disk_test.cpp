// A full disk, simulated by the system's limit on the size of files: writes fail half way.
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include <backlit/core/error.hpp>
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using Catch::Contains;
using test::Windowless;

namespace {

class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);  // writes then fail
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit low = before_;
    low.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &low);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("A disk that fills up while a volume is exported: an error, no half file, nothing lost") {
  Windowless w;
  const auto out = w.folder / "out";
  std::filesystem::create_directory(out);
  w.act("open demo:spheres");
  w.act("grid 32");
  REQUIRE(w.settle());
  const auto session = w.folder / "session.toml";
  w.act("save session " + session.string());
  const std::string saved = text_of(session);
  const std::int64_t generation = w.model.status().generation;
  {
    const FullDisk full(20000);  // too small for a volume of 131,072 bytes
    for (const char* name : {"v.mha", "v.nrrd", "v.nii", "v.npy", "v.tif", "v.h5"}) {
      w.act("export volume " + (out / name).string());
      REQUIRE(w.settle());
      INFO(name);
      REQUIRE(w.model.status().errors.size() == 1);
      CHECK_THAT(w.model.status().errors.back(), Contains(name));
      w.act("dismiss");
    }
    w.act("export slice z " + (out / "s.png").string());  // small files still fit
    REQUIRE(w.settle());
    CHECK(w.model.status().errors.empty());
  }
  CHECK(files_in(out) == 1);
  {
    const FullDisk full(16);
    w.act("map heat");
    CHECK_THROWS_WITH(w.act("save session " + session.string()), Contains("session.toml"));
    CHECK_THROWS_WITH(w.act("export histogram " + (out / "h.csv").string()), Contains("h.csv"));
    w.act("export slice z " + (out / "t.png").string());
    REQUIRE(w.settle());
    REQUIRE(w.model.status().errors.size() == 1);
    CHECK_THAT(w.model.status().errors.back(), Contains("t.png"));
    w.act("dismiss");
  }
  CHECK(files_in(out) == 1);
  CHECK(text_of(session) == saved);  // the session file is the last complete one
  CHECK(w.model.status().generation == generation);
  w.act("export volume " + (out / "v.mha").string());  // the disk has space again
  w.act("save session " + session.string());
  REQUIRE(w.settle());
  CHECK(w.model.status().errors.empty());
  CHECK(files_in(out) == 2);
  CHECK_THAT(text_of(session), Contains("map = \"heat\""));
}
