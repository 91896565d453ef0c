// Measured PET lists in the viewer, if they exist.
#include <filesystem>

#include "support/paths.hpp"
#include "support/skip.hpp"
#include "viewer/viewer_support.hpp"

using namespace backlit;
using namespace backlit::viewer;
using test::Windowless;

namespace {

/// Opens a list with little work; false if it is missing.
bool shown(Windowless& w, const std::filesystem::path& list) {
  if (!std::filesystem::exists(list)) return false;
  for (const char* line : {"set pet.iterations 1", "set pet.likelihood off", "set pet.subsets 1",
                           "set pet.sensitivity_pairs 20000", "grid 25 25 9"})
    w.act(line);
  w.act("open " + list.string());
  REQUIRE(w.settle(120));
  INFO((w.model.status().errors.empty() ? "" : w.model.status().errors.back()));
  CHECK(w.model.status().errors.empty());
  REQUIRE(w.model.list_mode());
  CHECK(w.model.status().finished.complete);
  CHECK(w.model.status().generation == 1);
  return true;
}

}  // namespace

TEST_CASE("A SAFIR list opens with the crystal map beside it, and its point source is seen in the middle") {
  const auto list = test::data_dir() / "pet-points/coincidencesLM.clm.safir";
  Windowless w;
  if (!shown(w, list)) BACKLIT_SKIP(list.string() + " is missing");
  const ListFacts& facts = *w.model.status().source->list;
  CHECK(facts.summary.counts.prompts == 1408);
  CHECK(facts.crystals == 2880);
  const VolumeGrid grid = w.model.status().grid;
  std::vector<Vec3> points;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) points.push_back(grid.voxel_center(i, j, k));
  const auto values = w.model.values_at(points);
  const Vec3 brightest = points[static_cast<std::size_t>(std::ranges::max_element(values) - values.begin())];
  CHECK(glm::length(brightest / grid.spacing) < 1.8);  // voxels
}

TEST_CASE("A list of Siemens' 32-bit words opens by its header") {
  const auto list = test::data_dir() / "pet-mmr/PET_ACQ_small.l.hdr.STIR";
  Windowless w;
  if (!shown(w, list)) BACKLIT_SKIP(list.string() + " is missing");
  const auto& counts = w.model.status().source->list->summary.counts;
  CHECK(counts.prompts == 218881);
  CHECK(counts.delayeds == 35320);
  CHECK(w.model.value_at(Vec3(0, 0, 0)) > 0);
}
