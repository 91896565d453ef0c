// Several CUDA devices give what one gives. On a machine with one, two backends share it: the paths are the same.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

#include <backlit/geometry/quarter_turns.hpp>
#include <backlit/geometry/trajectory.hpp>
#include <backlit/phantom/phantom.hpp>
#include <backlit/recon/fdk/fdk_pipeline.hpp>
#include <backlit/recon/reconstruction.hpp>
#include "support/cuda.hpp"
#include "support/recon/recon_options.hpp"

using namespace backlit;

namespace several_devices_cuda_test {
namespace {

std::unique_ptr<Backend> group_of_all() {
  for (std::int64_t n = 8; n > 1; --n) {
    BackendOptions options;
    for (std::int64_t device = 1; device < n; ++device) options.further_devices.push_back(device);
    try {
      return make_backend("cuda", options);
    } catch (const InputError&) {  // not so many
    }
  }
  BackendOptions twice;
  twice.further_devices = {0};
  return make_backend("cuda", twice);
}

std::vector<float> downloaded(Backend& backend, const DeviceArray& array) {
  std::vector<float> values(static_cast<std::size_t>(array.count()));
  backend.download(array, values);
  return values;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    largest = std::max(largest, std::abs(double{a[i]}));
  }
  return most / largest;
}

const Detector detector{67, 45, 1.5, 1.2};
const VolumeGrid grid{{32, 32, 77}, {1.1, 1.1, 0.5}, {0, 0, -1}};

Scan scan() { return {detector, circular_views(detector, equal_angles(24, 10), 200, 310)}; }

/// The same views, group after group of quarter turns.
Scan in_groups() {
  Scan all = scan();
  const auto views = all.views;
  all.views.clear();
  for (const std::int64_t view : find_quarter_turns(scan(), grid).order())
    all.views.push_back(views[static_cast<std::size_t>(view)]);
  return all;
}

}  // namespace

TEST_CASE("operators on several devices give what they give on one") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto group = group_of_all();
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  struct Way {
    CtOptions options;
    double most;
    Scan scan = several_devices_cuda_test::scan();
  };
  std::vector<Way> ways;
  // Slabs begin elsewhere, so places along z are rounded anew: 77 slices in floats are 5e-6 of a voxel off.
  for (const Model model : {Model::voxel_driven, Model::joseph})
    for (const Precision precision : {Precision::exact, Precision::fast, Precision::half})
      ways.push_back({{.model = model, .precision = precision}, precision == Precision::exact ? 2e-5 : 2e-3});
  ways.push_back({{.model = Model::joseph, .precision = Precision::half}, 2e-3, in_groups()});
  const auto branchless = [](const char* variant, Precision precision) {
    return CtOptions{.model = Model::branchless_dd, .precision = precision, .variant = variant};
  };
  ways.push_back({{.model = Model::distance_driven}, 1e-5});
  ways.push_back({branchless("db", Precision::exact), 1e-5});
  ways.push_back({branchless("bc", Precision::exact), 3e-5});
  ways.push_back({branchless("bl", Precision::exact), 1e-4});
  ways.push_back({branchless("bz", Precision::fast), 1e-2});  // where slices begin decides how edges are rounded
  for (const auto& [options, most, scan] : ways) {
    backend->activate();
    const auto single = backend->make_ct(grid, scan, options);
    const auto split = group->make_ct(grid, scan, options);
    INFO(split->variant());
    const bool filtered = options.precision != Precision::exact &&
                          (options.model == Model::voxel_driven || options.model == Model::joseph);
    backend->activate();
    const auto exact = backend->make_ct(
        grid, scan, filtered ? CtOptions{.model = options.model, .precision = Precision::exact} : options);
    for (const Subset subset : {Subset{0, 24, 1}, Subset{1, 6, 4}, Subset{2, 3, 5}, Subset{7, 1, 1}, Subset{4, 12, 1}})
      for (const Write write : {Write::overwrite, Write::accumulate}) {
        INFO(subset.count << " views");
        backend->activate();
        const ArrayPtr x1 = single->make_domain(), y1 = single->make_range(subset.count);
        group->activate();
        const ArrayPtr xn = split->make_domain(), yn = split->make_range(subset.count);
        std::vector<float> volume(static_cast<std::size_t>(x1->count())), views(static_cast<std::size_t>(y1->count()));
        for (float& v : volume) v = uniform(random);
        for (float& v : views) v = uniform(random);
        backend->upload(volume, *x1), backend->upload(views, *y1);
        group->upload(volume, *xn), group->upload(views, *yn);
        // Weights of 8 bits are off by more the fewer the views: by as much on several devices as on one.
        const auto check = [&](const std::vector<float>& one, const std::vector<float>& several,
                               const std::vector<float>& right) {
          const double limit = filtered ? std::max(most, 2 * difference(right, one)) : most;
          CHECK(difference(filtered ? right : one, several) < limit);
        };
        backend->activate();
        const ArrayPtr xe = exact->make_domain(), ye = exact->make_range(subset.count);
        if (options.model != Model::voxel_driven) {
          backend->upload(views, *ye);
          single->forward(*x1, *y1, subset, write);
          exact->forward(*x1, *ye, subset, write);
          split->forward(*xn, *yn, subset, write);
          check(downloaded(*backend, *y1), downloaded(*group, *yn), downloaded(*backend, *ye));
          backend->upload(views, *y1), group->upload(views, *yn);
        }
        backend->activate();
        backend->upload(volume, *xe);
        single->back(*y1, *x1, subset, write);
        exact->back(*y1, *xe, subset, write);
        split->back(*yn, *xn, subset, write);
        check(downloaded(*backend, *x1), downloaded(*group, *xn), downloaded(*backend, *xe));
      }
  }
}

TEST_CASE("reconstructions on several devices are those of one") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto group = group_of_all();
  struct Way {
    std::string method, model = "auto", precision = "fast";
  };
  for (const auto& [method, model, precision] :
       {Way{"fdk"}, Way{"sirt"}, Way{"sart"}, Way{"cgls"}, Way{"ossart"}, Way{"fista"}, Way{"mlem"}, Way{"osem"},
        Way{"ossart", "branchless_dd"}, Way{"cgls", "branchless_dd"}, Way{"sirt", "auto", "half"},
        Way{"ossart", "auto", "half"}}) {
    ReconOptions options;
    options.method = method;
    options.model = model;
    options.precision = precision;
    if (method != "fdk") options.iterations = 3;
    options.subsets = method == "ossart" || method == "osem" ? 4 : 1;
    const auto reconstructed = [&options](Backend& b) {
      b.activate();
      Projections p(scan());
      project_phantom(load_phantom("shepp-logan-3d"), p.scan, 0, p.scan.view_count(), 1, p.values.span());
      const auto recon = make_reconstruction(b, std::make_shared<MemorySource>(std::move(p)), grid, options);
      while (recon->step() != Reconstruction::Status::finished) {
      }
      const Volume volume = recon->download();
      return std::vector<float>(volume.values.begin(), volume.values.end());
    };
    const std::vector<float> one = reconstructed(*backend), several = reconstructed(*group);
    INFO(method << ", " << model << ", " << precision);
    // Slabs round places differently, which rays that graze the grid make much of: they are divided by sums that are
    // next to nothing. Half is off by as much on several devices as on one.
    if (precision != "half") {
      CHECK(difference(one, several) < 2e-3);
      continue;
    }
    options.precision = "exact";
    const std::vector<float> right = reconstructed(*backend);
    CHECK(difference(right, several) < std::max(2e-3, 1.5 * difference(right, one)));
  }
}

TEST_CASE("FDK's pipeline on several devices gives one's volume") {
  BACKLIT_REQUIRE_CUDA(backend);
  const auto group = group_of_all();
  Projections p(scan());
  project_phantom(load_phantom("shepp-logan-3d"), p.scan, 0, p.scan.view_count(), 1, p.values.span());
  for (const Precision precision : {Precision::fast, Precision::half})
    for (const std::int64_t slices : {77, 1}) {
      VolumeGrid cut = grid;
      cut.size[2] = slices;
      FdkPipelineOptions options;
      options.ct.precision = precision;
      options.ct.weighting = Weighting::fdk;
      std::vector<std::vector<float>> volumes;
      for (Backend* b : {backend.get(), group.get()}) {
        b->activate();
        const auto pipeline = b->make_fdk_pipeline(p.scan, cut, options);
        REQUIRE(pipeline);
        INFO(pipeline->variant());
        auto& volume = volumes.emplace_back(static_cast<std::size_t>(cut.voxels()), 1e30f);
        for (int run = 0; run < 2; ++run) {
          pipeline->begin(volume);
          for (std::int64_t n = 0; n < static_cast<std::int64_t>(pipeline->batches().size()); ++n) {
            const auto& views = pipeline->batches()[static_cast<std::size_t>(n)];
            const std::span<std::byte> room = pipeline->staging(n);
            std::vector<const std::byte*> places;
            for (std::size_t i = 0; i < views.size(); ++i) {
              places.push_back(room.data() + static_cast<std::int64_t>(i) * pipeline->view_bytes());
              std::memcpy(room.data() + static_cast<std::int64_t>(i) * pipeline->view_bytes(),
                          p.values.data() + views[i] * detector.pixels(),
                          static_cast<std::size_t>(pipeline->view_bytes()));
            }
            pipeline->give(n, places);
          }
          pipeline->finish();
        }
        if (slices > 1) CHECK((pipeline->variant().find("devices") != std::string::npos) == (b == group.get()));
        CHECK(!pipeline->timeline().empty());
      }
      CHECK(difference(volumes[0], volumes[1]) < 1e-6);
    }
}

}  // namespace several_devices_cuda_test
