// Places where a program may not write, names that are no text, and signals that end it.
#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include <backlit/core/atomic_file.hpp>
#include "support/io/scan_text.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"

using namespace backlit;
using namespace backlit::test;
using Catch::Contains;

namespace {

/// What a shell says of `line`, in which $BACKLIT is the program; 128 + signal when one ended it.
int shell(const TemporaryFolder& folder, const std::string& line) {
  setenv("BACKLIT", (program_dir() / "backlit").c_str(), 1);
  const int status = std::system(("cd '" + folder.path().string() + "' && { " + line + "; }").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void make_geometry(const TemporaryFolder& folder) {
  write_text(folder / "cone.scan.toml", cone_scan_text(31, 25, 16, 24));
}

}  // namespace

TEST_CASE("Words that cannot be written are lost, and nothing else") {
  const TemporaryFolder folder;
  CHECK(shell(folder, "$BACKLIT info nofile 2>&-") == 2);
  CHECK(shell(folder, "$BACKLIT info nofile 2>/dev/full") == 2);
  make_geometry(folder);
  const std::string simulate = "$BACKLIT simulate water-cylinder --scan cone.scan.toml -o ";
  CHECK(shell(folder, simulate + "a.mha > text") == 0);
  CHECK(shell(folder, simulate + "b.mha --quiet 2>&-") == 0);
  CHECK(shell(folder, simulate + "c.mha -v 2>/dev/full > text") == 0);
  CHECK(shell(folder, "cmp a.mha b.mha && cmp a.mha c.mha") == 0);
  CHECK(shell(folder, "$BACKLIT info a.mha >&- 2> text") == 1);  // there the words are the result
}

TEST_CASE("JSON holds names that are no UTF-8") {
  const TemporaryFolder folder;
  make_geometry(folder);
  const auto r = run_backlit(folder.path(),
                             {"simulate", "water-cylinder", "--scan", "cone.scan.toml", "-o", "a\xff.mha", "--json"});
  CHECK(r.err == "");
  CHECK(r.code == 0);
  CHECK(nlohmann::json::parse(r.out).is_object());
}

TEST_CASE("A file that may not grow, and a terminal that goes, leave nothing behind") {
  const TemporaryFolder folder;
  make_geometry(folder);
  const auto before = folder.files();
  CHECK(shell(folder,
              "( ulimit -f 8; $BACKLIT simulate water-cylinder --scan cone.scan.toml -o big.mha 2>/dev/null )") == 1);
  CHECK(folder.files() == before);
  REQUIRE(shell(folder, "$BACKLIT simulate water-cylinder --scan cone.scan.toml -o scan.npy -q") == 0);
  for (const std::string signal : {"HUP", "TERM", "INT"}) {
    INFO(signal);
    // A shell without job control has its children ignore SIGINT, which these words undo.
    CHECK(shell(folder,
                "rm -f said; env --default-signal=INT $BACKLIT recon scan.scan.toml --method sirt --iterations 100000 "
                "--backend cpu -o out.mha -v 2> said & child=$!; until [ -s said ]; do sleep 0.1; done; kill -" +
                    signal + " $child; wait $child") == 130);
  }
  for (const std::string& file : folder.files()) CHECK_THAT(file, !Contains("out") && !Contains(".part"));
}

TEST_CASE("Where OpenGL has no room it is not tried") {
  const TemporaryFolder folder;
  make_geometry(folder);
  REQUIRE(shell(folder, "$BACKLIT simulate water-cylinder --scan cone.scan.toml -o scan.npy -q") == 0);
  CHECK(shell(folder, "ulimit -v 600000; $BACKLIT recon scan.scan.toml -o v.mha --backend gl 2> said") == 1);
  CHECK(shell(folder, "grep -q 'of address space' said") == 0);
  CHECK(shell(folder, "ulimit -v 600000; $BACKLIT recon scan.scan.toml -o v.mha --grid 8x8x8 2> said") == 0);
}
