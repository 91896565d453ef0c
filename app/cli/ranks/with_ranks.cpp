#include "ranks/with_ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <backlit/core/error.hpp>
#include "command.hpp"
#include "ranks/mpi_ranks.hpp"

namespace backlit::cli {
namespace {

/// A failure that is reported already, or that another rank reports.
class Ended final : public Error {
 public:
  Ended(const std::string& text, int code) : Error("", text), code_(code) {}
  int exit_code() const override { return code_; }

 private:
  int code_;
};

Ending run(const std::function<void()>& work, const CancelToken& cancel) {
  const auto failed = [](int code, const std::string& text) { return Ending{Ending::Kind::failed, code, text}; };
  try {
    work();
    return {};
  } catch (const Cancelled& error) {
    return {Ending::Kind::cancelled, error.exit_code(), error.what()};
  } catch (const Error& error) {
    if (cancel.requested()) return {Ending::Kind::cancelled, Cancelled().exit_code(), Cancelled().what()};
    if (std::string(error.what()).starts_with(other_rank_failed)) return {Ending::Kind::reported, error.exit_code()};
    return failed(error.exit_code(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(1, "out of memory; start more ranks, or ask for a smaller volume");
  } catch (const std::exception& error) {
    return failed(1, error.what());
  }
}

/// Leaves the program where another rank speaks: a little later, for launchers end all once one has failed.
[[noreturn]] void leave(int code) {
  ::usleep(300'000);
  std::fflush(stdout);
  std::_Exit(code);
}

}  // namespace

void be_quiet(Console& console) {
  console.quiet = true;
  console.verbose = console.json = false;
}

void require_alike(Ranks& ranks, const std::string& method, const Parameters& options,
                   const std::vector<std::string>& outputs) {
  std::string told = fmt::format("{} {}", method, fmt::join(outputs, " "));
  for (const Parameter& p : options) told += fmt::format(" {}={}", p.name, p.text());
  const bool alike = ranks.from_first(told) == told;
  const int other = static_cast<int>(ranks.maximum(alike ? 0 : ranks.rank()));
  if (other > 0)
    throw InputError("ranks", fmt::format("rank {} has other options than rank 0", other),
                     "give all ranks the same files and options");
}

void with_ranks(const std::function<void(const std::shared_ptr<Ranks>&)>& work) {
  const std::optional<Launch> launch = find_launch();
  if (!launch) return work(nullptr);
  std::shared_ptr<EndingRanks> ranks;
  try {
    ranks = start_mpi(*launch, interrupt());
  } catch (const Error& error) {
    if (launch->rank > 0) leave(error.exit_code());
    throw;
  }
  share_among(ranks);
  const Ending mine = run([&] { work(ranks); }, interrupt());
  share_among(nullptr);
  if (mine.kind == Ending::Kind::failed || mine.kind == Ending::Kind::cancelled) ranks->announce_failure();
  const std::vector<Ending> all = ranks->end(mine);

  const auto of_kind = [&](Ending::Kind kind) { return std::ranges::find(all, kind, &Ending::kind); };
  auto speaker = of_kind(Ending::Kind::failed);
  if (speaker == all.end()) speaker = of_kind(Ending::Kind::cancelled);
  if (speaker == all.end()) {
    if (of_kind(Ending::Kind::reported) == all.end()) return;
    if (ranks->rank() > 0) leave(1);
    throw Ended("ranks: one of them failed and did not say why; see what mpirun or srun printed", 1);
  }
  const auto rank = speaker - all.begin();
  // A wrong number of ranks is wrong for all of them, though some stop before they see it.
  const bool of_all = speaker->text.starts_with("ranks: ") || speaker->text.starts_with("slabs: ");
  const bool alike = std::ranges::all_of(
      all, [&](const Ending& e) { return e.text == speaker->text || (of_all && e.kind == Ending::Kind::reported); });
  const bool cancelled = speaker->kind == Ending::Kind::cancelled;
  const int code = alike || cancelled ? speaker->code : 1;
  if (rank != ranks->rank()) leave(code);
  throw Ended(
      alike || cancelled ? speaker->text : fmt::format("rank {} on {}: {}", rank, speaker->machine, speaker->text),
      code);
}

}  // namespace backlit::cli
