// Passes cut into pieces, so that frames beside them need not wait for long: the same to the bit.
#include <functional>

#include "device/gl/gl_backend_class.hpp"
#include "device/gl/gl_display_volume.hpp"
#include "support/gl/backproject_support.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/gl/projection_pair.hpp"

namespace backlit::gl {
namespace {

/// Cuts for as long as it lives.
class Cut {
 public:
  Cut(Context& context, double updates) : context_(context) {
    context.cut_passes(updates, [this] { ++pieces; });
  }
  ~Cut() { context_.cut_passes(Context::most_updates, {}); }
  Cut(const Cut&) = delete;
  Cut& operator=(const Cut&) = delete;

  std::int64_t pieces = 0;

 private:
  Context& context_;
};

TEST_CASE("A pass is cut into pieces of a few parts, and never into less than one") {
  Context& context = *test_context();
  CHECK(context.piece(100, 1e12) == 100);
  std::vector<std::int64_t> firsts, counts;
  const auto note = [&](std::int64_t first, std::int64_t count) {
    firsts.push_back(first);
    counts.push_back(count);
  };
  context.in_pieces(7, 1e3, note);
  CHECK(counts == std::vector<std::int64_t>{7});
  counts.clear();
  firsts.clear();
  Cut cut(context, 3500);
  context.in_pieces(7, 1e3, note);
  CHECK(firsts == std::vector<std::int64_t>{0, 3, 6});
  CHECK(counts == std::vector<std::int64_t>{3, 3, 1});
  CHECK(cut.pieces == 2);  // the last is less than half a piece, and goes with what comes next
  CHECK(context.largest_piece() == 3000);
  CHECK(context.piece(7, 1e4) == 1);
  context.in_pieces(0, 1e3, [](std::int64_t, std::int64_t) { FAIL("nothing is to be handed over"); });
}

TEST_CASE("Backprojection in pieces is the same to the bit, and no piece is larger than asked for") {
  GlBackend backend(test_context());
  const auto all = cases();
  for (std::size_t i : {0u, 4u}) {
    const Case& c = all[i];
    const auto projections = random_projections(c.scan);
    for (const char* variant :
         {"draw=slices", "views=3", "accumulate=ping_pong", "target=slice,views=2", "target=image", "kill=stencil"}) {
      INFO(c.name << ", " << variant);
      const CtOptions o = options(Precision::fast, Weighting::fdk, variant);
      const auto whole = backproject(backend, c, projections, o);
      const double layer = 16 * static_cast<double>(c.grid.size[0] * c.grid.size[1]);  // in a pass of 16 views
      Cut cut(backend.context(), 2 * layer);
      CHECK(backproject(backend, c, projections, o) == whole);
      CHECK(cut.pieces > 2);
      CHECK(backend.context().largest_piece() <= 3 * layer);  // small ones, up to half a piece, and one that follows
    }
  }
  backend.context().check();
}

TEST_CASE("Projection through slices and its transpose in pieces are the same to the bit") {
  GlBackend backend(test_context());
  const auto check = [&](const Case& c, Packing packing, const std::string& variant) {
    INFO(c.name << ", " << name(packing) << " " << variant);
    const CtOptions o{Model::joseph, Precision::fast, packing, Weighting::none, variant};
    Pair whole = random_pair(c), pieces = whole;
    apply(backend, c, o, whole);
    Cut cut(backend.context(), 1);  // views, layers and groups one by one
    apply(backend, c, o, pieces);
    CHECK(pieces.forward == whole.forward);
    CHECK(pieces.back == whole.back);
    CHECK(cut.pieces >= c.scan.view_count() / 4 + c.grid.size[2]);
  };
  const auto all = cases();
  for (const char* variant : {"draw=rays", "draw=slices"}) {
    check(all[0], Packing::none, variant);
    check(all[0], Packing::slices, variant);
  }
  Case square = all[0];
  square.name = "quarter turns";
  square.grid = {{18, 18, 12}, Vec3(1), Vec3(0)};
  square.scan.views = circular_views(square.scan.detector, equal_angles(12), 70, 100);
  for (const char* variant : {"draw=rays", "draw=compute"}) check(square, Packing::orbit, variant);
  backend.context().check();
}

TEST_CASE("A volume published in pieces is the same, with the range of every brick") {
  const auto context = test_context();
  GlBackend backend(context);
  const VolumeGrid grid{{19, 9, 150}, {1, 2, 3}, {0, 0, 5}};  // three work groups of bricks deep
  const auto array = backend.make_array(shape_of(grid));
  backend.upload(random_values(grid.voxels(), 22, -1), *array);
  const auto shown = [&] {
    GlDisplayVolume display(context);
    display.publish(*array, grid);
    const auto front = display.front();
    front.ready->wait();
    std::vector<float> all;
    for (const auto& [texture, format, channels] : {std::tuple(front.values, GL_RED, 1), {front.bricks, GL_RG, 2}}) {
      std::vector<float> v(
          static_cast<std::size_t>(texture->width() * texture->height() * texture->depth() * channels));
      glGetTextureImage(texture->id(), 0, format, GL_FLOAT, static_cast<GLsizei>(v.size() * sizeof(float)), v.data());
      all.insert(all.end(), v.begin(), v.end());
    }
    return all;
  };
  const auto whole = shown();
  Cut cut(*context, 19 * 9 * 40);
  CHECK(shown() == whole);
  CHECK(cut.pieces >= 150 / 40 + 3);
  context->check();
}

}  // namespace
}  // namespace backlit::gl
