#include "ranks/mpi_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include <backlit/core/error.hpp>

#if !defined(BACKLIT_HAVE_MPI)

namespace backlit::cli {

std::shared_ptr<EndingRanks> start_mpi(const Launch& launch, const CancelToken&) {
  throw InputError(launch.launcher,
                   fmt::format("started {} processes, and this build of backlit has no MPI", launch.processes),
                   "install libopenmpi-dev and build it again, or start one process");
}

}  // namespace backlit::cli

#else

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace backlit::cli {
namespace {

constexpr int data_tag = 1, failure_tag = 2, here_tag = 3;
constexpr std::size_t largest_message = std::size_t{1} << 30;  // bytes; MPI counts in int
constexpr int quick_looks = 200;                               // before a wait offers the core to others
constexpr std::chrono::milliseconds watched{2};                // before it sleeps, which takes a tenth or more of that
constexpr useconds_t pause_us = 100;
constexpr int looks_at_the_last = 300;    // of messages after a rank has failed: some 50 milliseconds
constexpr int looks_at_the_rest = 20000;  // of messages that a failed rank leaves behind: some two seconds

/// What stops a rank because another one failed.
class Told final : public Failure {
 public:
  Told() : Failure("ranks", "another rank failed") {}
};

/// An ending as it is sent.
struct Letter {
  int kind, code;
  char text[1000], machine[256];
};

void mpi(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw Failure("MPI", fmt::format("{} failed: {}", what, text), "see what mpirun or srun says");
}

/// A communicator of its own.
class Channel {
 public:
  Channel() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Ranks of this machine that may use the same cores share them, unless OMP_NUM_THREADS says how many threads each has.
/// All ranks call it.
void share_cores(MPI_Comm near) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = ::sched_getaffinity(0, sizeof mine, &mine) == 0;
  int ranks = 0;
  MPI_Comm_size(near, &ranks);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(ranks));
  mpi(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, near), "gathering");
  if (!known || std::getenv("OMP_NUM_THREADS")) return;
  const auto sharing = std::ranges::count_if(all, [&](const cpu_set_t& set) {
    cpu_set_t both;
    CPU_AND(&both, &set, &mine);
    return CPU_COUNT(&both) > 0;
  });
  omp_set_num_threads(std::max(1, CPU_COUNT(&mine) / static_cast<int>(sharing)));
}

class MpiRanks final : public EndingRanks {
 public:
  explicit MpiRanks(const CancelToken& cancel) : cancel_(cancel) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm near = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &near);
    MPI_Comm_rank(near, &local_rank_);
    MPI_Comm_size(near, &local_size_);
    share_cores(near);
    MPI_Comm_free(&near);
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    machine_ = name;
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  int local_size() const override { return local_size_; }
  std::string machine() const override { return machine_; }

  void exchange(const Out& out, const In& in) override {
    meet(out, in);
    std::vector<MPI_Request> receiving, sending;
    for (std::size_t r = 0; r < in.size(); ++r)
      in_messages(in[r], [&](std::span<std::byte> part) {
        mpi(MPI_Irecv(part.data(), static_cast<int>(part.size()), MPI_BYTE, static_cast<int>(r), data_tag, data_,
                      &receiving.emplace_back()),
            "receiving");
      });
    for (std::size_t r = 0; r < out.size(); ++r)
      in_messages(out[r], [&](std::span<const std::byte> part) {
        mpi(MPI_Isend(part.data(), static_cast<int>(part.size()), MPI_BYTE, static_cast<int>(r), data_tag, data_,
                      &sending.emplace_back()),
            "sending");
      });
    try {
      wait(receiving, Looks::often);
      wait(sending, Looks::often);
    } catch (...) {
      let_go(receiving, sending);
      throw;
    }
  }

  std::vector<double> gather(std::span<const double> values) override {
    // Memory of its own: should another rank fail, the operation may go on behind this call.
    auto mine = std::make_shared<std::vector<double> >(values.begin(), values.end());
    auto all = std::make_shared<std::vector<double> >(values.size() * static_cast<std::size_t>(size_));
    kept_ = {mine, all};
    std::vector<MPI_Request> request(1);
    const int count = static_cast<int>(values.size());
    mpi(MPI_Iallgather(mine->data(), count, MPI_DOUBLE, all->data(), count, MPI_DOUBLE, data_, request.data()),
        "gathering");
    wait(request);
    return *all;
  }

  void check() override {
    if (failure_seen()) throw Told();
    cancel_.check();
  }

  void announce_failure() override {
    static const char nothing = 0;
    for (int r = 0; r < size_; ++r) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (r != rank_ && MPI_Isend(&nothing, 1, MPI_BYTE, r, failure_tag, failures_, &request) == MPI_SUCCESS)
        MPI_Request_free(&request);
    }
  }

  std::vector<Ending> end(const Ending& ending) override {
    Letter mine{static_cast<int>(ending.kind), ending.code, "", ""};
    ending.text.copy(mine.text, sizeof mine.text - 1);
    machine_.copy(mine.machine, sizeof mine.machine - 1);
    std::vector<Letter> letters(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    constexpr int bytes = sizeof(Letter);
    MPI_Iallgather(&mine, bytes, MPI_BYTE, letters.data(), bytes, MPI_BYTE, endings_, &request);
    std::vector<Ending> all;
    bool well = true;
    for (int done = 0; !done; ::usleep(pause_us))
      if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        well = false;
        break;
      }
    for (const Letter& l : letters) {
      all.push_back({static_cast<Ending::Kind>(l.kind), l.code, l.text, l.machine});
      well = well && all.back().kind == Ending::Kind::well;
    }
    if (well) MPI_Finalize();
    return all;
  }

 private:
  /// As many bytes as a message may have, one after another.
  template <class Byte, class Use>
  static void in_messages(std::span<Byte> bytes, Use&& use) {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), largest_message)))
      use(bytes.first(std::min(bytes.size(), largest_message)));
  }

  /// Waits until the other ranks of an exchange have begun it, too. From then on both ends look often, because MPI
  /// moves a message in parts, one at each look.
  void meet(const Out& out, const In& in) {
    std::vector<MPI_Request> requests;
    for (int r = 0; r < size_; ++r) {
      const auto n = static_cast<std::size_t>(r);
      if (r == rank_ || (out[n].empty() && in[n].empty())) continue;
      mpi(MPI_Irecv(&nothing_, 0, MPI_BYTE, r, here_tag, data_, &requests.emplace_back()), "receiving");
      mpi(MPI_Isend(&nothing_, 0, MPI_BYTE, r, here_tag, data_, &requests.emplace_back()), "sending");
    }
    wait(requests);
  }

  bool failure_seen() {
    int failed = 0;
    mpi(MPI_Iprobe(MPI_ANY_SOURCE, failure_tag, failures_, &failed, MPI_STATUS_IGNORE), "looking for failures");
    return failed != 0;
  }

  /// Often: messages are on their way. Seldom: another rank may still compute, so that a wait sleeps after a while.
  enum class Looks { often, seldom };

  /// MPI's own waits would neither see that another rank failed nor leave the core to others.
  void wait(std::vector<MPI_Request>& requests, Looks looks = Looks::seldom) {
    std::chrono::steady_clock::time_point watched_until{};
    int looks_after_failure = 0;
    for (int look = 0, done = 0;; ++look) {
      mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), "waiting");
      if (done) return;
      if (look < quick_looks) continue;
      const auto now = std::chrono::steady_clock::now();
      if (look == quick_looks) watched_until = now + watched;
      if ((looks == Looks::often || now < watched_until) && look % quick_looks != 0) {
        ::sched_yield();
        continue;
      }
      // What the failed rank has taken part in still arrives, and all ranks then stop at the same place.
      if (failure_seen() && looks_after_failure++ >= looks_at_the_last) throw Told();
      cancel_.check();
      if ((looks == Looks::seldom && now >= watched_until) || looks_after_failure > 0) ::usleep(pause_us);
    }
  }

  /// The memory of messages is the caller's: nothing may be on its way when it goes.
  static void let_go(std::vector<MPI_Request>& receiving, std::vector<MPI_Request>& sending) {
    for (MPI_Request& request : receiving)
      if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
    for (auto* requests : {&receiving, &sending})
      for (int look = 0, done = 0; !done && look < looks_at_the_rest; ++look) {
        if (MPI_Testall(static_cast<int>(requests->size()), requests->data(), &done, MPI_STATUSES_IGNORE) !=
            MPI_SUCCESS)
          break;
        if (!done) ::usleep(pause_us);
      }
  }

  const CancelToken& cancel_;
  Channel data_, failures_, endings_;
  int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;
  char nothing_ = 0;
  std::string machine_;
  std::vector<std::shared_ptr<std::vector<double> > > kept_;
};

}  // namespace

std::shared_ptr<EndingRanks> start_mpi(const Launch& launch, const CancelToken& cancel) {
#if defined(OPEN_MPI)
  // MPI_Init() would end the process, with a page of text.
  if (launch.launcher == "srun" && !std::getenv("PMIX_RANK") && !std::getenv("PMI_RANK"))
    throw InputError("srun", fmt::format("started {} processes, and Open MPI does not find them", launch.processes),
                     "use srun --mpi=pmix, or mpirun");
#endif
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  auto ranks = std::make_shared<MpiRanks>(cancel);
  if (ranks->size() != launch.processes) {
    const int seen = ranks->size();
    MPI_Finalize();
    throw Failure(launch.launcher,
                  fmt::format("started {} processes, of which MPI sees {} together", launch.processes, seen),
                  "use the mpirun of the MPI that backlit was built with, or srun --mpi=pmix");
  }
  return ranks;
}

}  // namespace backlit::cli

#endif
