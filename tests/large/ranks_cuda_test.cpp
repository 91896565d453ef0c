// Ranks with a card each, or all on one.
#include <backlit/phantom/phantom.hpp>

#include <algorithm>
#include <cmath>

#include "cuda/device/memory.hpp"
#include "cuda/device/upload.hpp"
#include "cuda/ranks/nccl.hpp"
#include "cuda/ranks/row_link.hpp"
#include "device/shares_card.hpp"
#include "large/ranks/ranked_backend.hpp"
#include "large/thread_ranks.hpp"
#include "support/cuda.hpp"
#include "support/recon/small_problem.hpp"
#include "support/relative_l2.hpp"

using namespace backlit;
using namespace backlit::test;

namespace {

constexpr std::int64_t columns = 37, rows = 23, views = 11;

std::vector<float> numbers(std::int64_t count, int seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 7919 + static_cast<std::size_t>(seed) * 31) % 1009) / 1009 - 0.3F;
  return values;
}

std::vector<float> reconstruct(Backend& backend, const Projections& seen, const ReconOptions& options) {
  const auto source = std::make_shared<MemorySource>(Projections(seen.scan, seen.values.clone()));
  const auto run = make_reconstruction(backend, source, grid, options);
  while (run->step() != Reconstruction::Status::finished) continue;
  const Volume v = run->download();
  return {v.values.begin(), v.values.end()};
}

}  // namespace

TEST_CASE("rows of other ranks are added in the order of ranks") {
  BACKLIT_REQUIRE_CUDA(backend);
  // Rank 1 of 4: rank 0 has its rows from 0 to 8, rank 2 from 5 to 22, rank 3 the last two.
  const std::vector<IndexRange> common{{0, 9}, {}, {5, 18}, {21, 2}};
  const std::vector<float> own = numbers(columns * rows * views, 1);
  std::vector<float> expected = own;
  std::vector<cuda::DeviceBuffer<float>> room;
  std::vector<cuda::RankRows> parts;
  std::vector<std::vector<float>> others;
  for (std::size_t r = 0; r < common.size(); ++r) {
    others.push_back(numbers(columns * common[r].count * views, static_cast<int>(r)));
    room.emplace_back(static_cast<std::int64_t>(others[r].size()));
    cuda::upload(room[r].data(), others[r].data(), room[r].bytes());
    parts.push_back({common[r], r == 1 ? nullptr : room[r].data()});
  }
  for (std::int64_t i = 0; i < columns * rows * views; ++i) {
    const std::int64_t row = i / columns % rows, view = i / columns / rows;
    float sum = 0;
    for (std::size_t r = 0; r < common.size(); ++r) {
      if (r == 1) sum += own[static_cast<std::size_t>(i)];
      if (common[r].contains(row))
        sum +=
            others[r]
                  [static_cast<std::size_t>((view * common[r].count + row - common[r].first) * columns + i % columns)];
    }
    expected[static_cast<std::size_t>(i)] = sum;
  }
  cuda::DeviceBuffer<float> images(columns * rows * views);
  cuda::DeviceBuffer<cuda::RankRows> list(static_cast<std::int64_t>(parts.size()));
  cuda::upload(images.data(), own.data(), images.bytes());
  cuda::upload(list.data(), parts.data(), list.bytes());
  cuda::Stream stream;
  cuda::add_rows(stream, images.data(), columns, rows, views, list.data(), static_cast<int>(parts.size()));
  stream.wait();
  std::vector<float> found(own.size());
  BACKLIT_CUDA(cudaMemcpy(found.data(), images.data(), images.bytes(), cudaMemcpyDeviceToHost));
  CHECK(found == expected);
}

TEST_CASE("ranks with cards iterate as one process does") {
  BACKLIT_REQUIRE_CUDA(alone);
  const Projections seen = consistent_data(*alone, small_scan());
  const int cards = cuda_devices();
  for (const std::string method : {"sirt", "ossart", "pwls", "tv"}) {
    ReconOptions options{.method = method, .iterations = 3};
    if (method == "ossart") options.subsets = 3;
    if (method == "pwls") options.penalty = "qggmrf";
    const std::vector<float> whole = reconstruct(*alone, seen, options);
    for (const int count : {2, 3}) {
      INFO(method << ", " << count << " ranks on " << cards << " cards, " << (cuda::find_nccl() ? "" : "no ")
                  << "NCCL");
      std::vector<float> parts;
      std::vector<std::vector<float>> slabs(static_cast<std::size_t>(count));
      in_ranks(count, [&](const std::shared_ptr<Ranks>& ranks) {
        BackendOptions card;
        card.device = ranks->rank() % cards;
        RankedBackend backend(make_backend("cuda", card), ranks);
        slabs[static_cast<std::size_t>(ranks->rank())] = reconstruct(backend, seen, options);
      });
      for (const auto& slab : slabs) parts.insert(parts.end(), slab.begin(), slab.end());
      REQUIRE(parts.size() == whole.size());
      CHECK(relative_l2(parts, whole) < 1e-4);
    }
  }
}

TEST_CASE("cards add up a slab that ranks share, and each keeps its slices") {
  BACKLIT_REQUIRE_CUDA(alone);
  const Projections seen = consistent_data(*alone, small_scan());
  const std::vector<float> whole = reconstruct(*alone, seen, {.method = "fdk"});
  const int cards = cuda_devices();
  for (const auto& [count, slabs] : {std::pair{2, 1}, {4, 2}, {3, 1}}) {
    const bool linked = cards == 1 || (cuda::find_nccl() && cards >= count);  // here ranks are threads
    INFO(count << " ranks on " << cards << " cards, " << slabs << " slabs, " << (linked ? "" : "not ") << "linked");
    std::vector<std::vector<float>> parts(static_cast<std::size_t>(count));
    std::vector<char> on_cards(parts.size());
    in_ranks(count, [&, slabs = slabs](const std::shared_ptr<Ranks>& ranks) {
      BackendOptions card;
      card.device = ranks->rank() % cards;
      RankedBackend backend(make_backend("cuda", card), ranks, slabs);
      const auto source = std::make_shared<MemorySource>(Projections(seen.scan, seen.values.clone()));
      const auto run = make_reconstruction(backend, source, grid, {.method = "fdk"});
      while (run->step() != Reconstruction::Status::finished) continue;
      const auto rank = static_cast<std::size_t>(ranks->rank());
      std::vector<float>& part = parts[rank];
      if (const DeviceArray* const sum = run->device_volume()) {
        part.resize(static_cast<std::size_t>(run->device_grid()->voxels()));
        on_cards[rank] = backend.download_rows(*sum, 0, part) ? 1 : 0;
      } else {
        const Volume v = run->download();
        part.assign(v.values.begin(), v.values.end());
      }
    });
    CHECK(on_cards == std::vector<char>(parts.size(), linked ? 1 : 0));
    std::vector<float> together;
    for (const auto& part : parts) together.insert(together.end(), part.begin(), part.end());
    REQUIRE(together.size() == whole.size());
    CHECK(relative_l2(together, whole) < 1e-4);
  }
}

TEST_CASE("ranks on one card share its memory") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto free = static_cast<double>(make_backend("cuda")->capabilities().memory_bytes);
  constexpr int count = 3;
  std::string cards[count];
  double memory[count] = {};
  in_ranks(count, [&](const std::shared_ptr<Ranks>& ranks) {
    share_among(ranks);
    const auto one = make_backend("auto", {}, [](Backend&) {});  // each rank takes the card of its number
    share_among(nullptr);
    cards[ranks->rank()] = dynamic_cast<SharesCard&>(one->innermost()).card_name();
    memory[ranks->rank()] = static_cast<double>(one->capabilities().memory_bytes);
    ranks->sum(0);
  });
  for (int r = 0; r < count; ++r) {
    const auto sharing = static_cast<double>(std::ranges::count(cards, cards[r]));
    CHECK(memory[r] * sharing < 1.05 * free);
    CHECK(memory[r] * sharing > 0.7 * free);  // the processes themselves take some
  }
}

TEST_CASE("slices of FDK on a card are finished in turn, with the bits of a whole download") {
  BACKLIT_REQUIRE_CUDA(backend);
  const Projections seen = consistent_data(*backend, small_scan());
  const VolumeGrid tall{{33, 31, 64}, Vec3(1), Vec3(0)};
  const auto source = std::make_shared<MemorySource>(Projections(seen.scan, seen.values.clone()));
  const auto card = make_backend("cuda");
  const auto finished = [&](Backend& on) {
    auto run = make_reconstruction(on, source, tall, Method("fdk"));
    while (run->step() != Reconstruction::Status::finished) continue;
    return run;
  };
  const Volume whole = finished(*card)->download();
  const std::int64_t slice = tall.size[0] * tall.size[1];
  const auto in_slices = [&](Backend& on) {
    const auto run = finished(on);
    std::vector<float> given(static_cast<std::size_t>(tall.voxels()));
    for (std::int64_t z = 0; z < tall.size[2]; z += 8) {
      run->finish_slices(z + 8);
      REQUIRE(on.download_rows(
          *run->unfinished_volume(), z,
          std::span(given).subspan(static_cast<std::size_t>(z * slice), static_cast<std::size_t>(8 * slice))));
    }
    return given;
  };
  CHECK(std::ranges::equal(in_slices(*card), whole.values.span()));
  in_ranks(1, [&](const std::shared_ptr<Ranks>& ranks) {
    share_among(ranks, 4);
    const auto in_turn = make_backend("cuda");
    share_among(nullptr);
    CHECK(relative_l2(in_slices(*in_turn), std::vector<float>(whole.values.begin(), whole.values.end())) < 1e-4);
  });
}
