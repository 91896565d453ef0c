// What reconstructions take of OpenGL's memory, counted as it is given out, against --gpu-memory.
#include <algorithm>

#include <backlit/recon/reconstruction.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "large/tiled_backend.hpp"
#include "support/gl/gl_cases.hpp"

namespace backlit::gl {
namespace {

/// While it lives, every texture and buffer is counted that this context has: names are small numbers, given out in
/// turn, so all are asked for their sizes whenever storage is made.
class Storage {
 public:
  Storage() {
    made_2d = __glewTextureStorage2D;
    made_3d = __glewTextureStorage3D;
    made_buffer = __glewNamedBufferStorage;
    least = now();
    most = 0;
    __glewTextureStorage2D = [](GLuint name, GLsizei levels, GLenum format, GLsizei w, GLsizei h) {
      made_2d(name, levels, format, w, h);
      see(name, last_texture);
    };
    __glewTextureStorage3D = [](GLuint name, GLsizei levels, GLenum format, GLsizei w, GLsizei h, GLsizei d) {
      made_3d(name, levels, format, w, h, d);
      see(name, last_texture);
    };
    __glewNamedBufferStorage = [](GLuint name, GLsizeiptr size, const void* data, GLbitfield flags) {
      made_buffer(name, size, data, flags);
      see(name, last_buffer);
    };
  }
  ~Storage() {
    __glewTextureStorage2D = made_2d;
    __glewTextureStorage3D = made_3d;
    __glewNamedBufferStorage = made_buffer;
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  /// Beyond what was there before, bytes.
  std::int64_t peak() const { return most - least; }

 private:
  static void see(GLuint name, GLuint& last) {
    last = std::max(last, name);
    most = std::max(most, now());
  }
  static std::int64_t texture_bytes(GLuint name) {
    GLint size[3], bits = 0;
    const GLenum sides[]{GL_TEXTURE_WIDTH, GL_TEXTURE_HEIGHT, GL_TEXTURE_DEPTH};
    for (int a = 0; a < 3; ++a) glGetTextureLevelParameteriv(name, 0, sides[a], &size[a]);
    for (const GLenum channel : {GL_TEXTURE_RED_SIZE, GL_TEXTURE_GREEN_SIZE, GL_TEXTURE_BLUE_SIZE,
                                 GL_TEXTURE_ALPHA_SIZE, GL_TEXTURE_DEPTH_SIZE, GL_TEXTURE_STENCIL_SIZE}) {
      GLint some = 0;
      glGetTextureLevelParameteriv(name, 0, channel, &some);
      bits += some;
    }
    return std::int64_t{size[0]} * size[1] * size[2] * bits / 8;
  }
  static std::int64_t now() {
    std::int64_t bytes = 0;
    for (GLuint t = 1; t <= last_texture; ++t)
      if (glIsTexture(t)) bytes += texture_bytes(t);
    for (GLuint b = 1; b <= last_buffer; ++b) {
      GLint64 size = 0;
      if (glIsBuffer(b)) glGetNamedBufferParameteri64v(b, GL_BUFFER_SIZE, &size);
      bytes += size;
    }
    return bytes;
  }

  static inline PFNGLTEXTURESTORAGE2DPROC made_2d;
  static inline PFNGLTEXTURESTORAGE3DPROC made_3d;
  static inline PFNGLNAMEDBUFFERSTORAGEPROC made_buffer;
  static inline GLuint last_texture = 0, last_buffer = 0;
  static inline std::int64_t least = 0, most = 0;
};

const VolumeGrid cube{{48, 48, 48}, Vec3(4), Vec3(0)};

/// One iteration, or FDK, of 48 views.
std::int64_t peak_of(std::int64_t budget, const ReconOptions& options, const VolumeGrid& grid = cube,
                     const Detector& d = {48, 48, 8, 8}) {
  Projections views({d, circular_views(d, equal_angles(48), 1000, 1500)});
  std::ranges::fill(views.values.span(), 1.0f);
  TiledBackend backend(std::make_unique<GlBackend>(test_context()), budget);
  backend.activate();
  const Storage storage;
  const auto recon = make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  backend.finish();
  return storage.peak();
}

}  // namespace

TEST_CASE("Reconstructions take no more of the device than their budget") {
  constexpr std::int64_t mib = 1 << 20, volume = 4 * 48 * 48 * 48;
  // Column sums of 48 subsets and halves of all views have been outside the count; at 6 MiB the volume is whole, or cut
  // for its packed projection.
  for (const std::int64_t budget : {2 * mib, 6 * mib})
    for (const char* precision : {"fast", "half"})
      for (const std::string way :
           {"fdk", "sart", "sart unmatched", "ossart unmatched", "sirt unmatched", "osem emission"}) {
        ReconOptions o{.method = way.substr(0, way.find(' ')), .iterations = 1};
        o.precision = precision;
        if (way.ends_with("unmatched")) o.back_model = "voxel_driven";
        if (way.ends_with("emission")) o.model = "emission";
        if (o.method == "ossart" || o.method == "osem") o.subsets = 8;
        const std::int64_t peak = peak_of(budget, o);
        INFO(way << ", " << precision << ", " << budget << " bytes: " << peak);
        CHECK(peak <= budget + budget / 8);  // staging keeps batches of two sizes, a sixteenth each
        CHECK(peak > volume / 2);            // it has been counted
      }
}

TEST_CASE("Emission as a whole takes no more of the device than its budget") {
  constexpr std::int64_t mib = 1 << 20;
  const auto peak = [](std::int64_t budget, const char* slices, std::int64_t subsets, const VolumeGrid& grid,
                       double scatter = 0) {
    ReconOptions o{.method = "osem", .model = "emission", .iterations = 1, .subsets = subsets};
    o.emission.emission_slices = slices;
    o.emission.scatter = scatter;
    const std::int64_t bytes = peak_of(budget, o, grid);
    INFO(slices << ", " << subsets << " subsets, " << scatter << " mm, " << budget << " bytes: " << bytes);
    CHECK(bytes <= budget + budget / 8);
    return bytes;
  };
  // Planes that face the detector lie as close as slices do: there are 180 of them.
  const VolumeGrid flat{{32, 32, 32}, {4, 4, 1}, Vec3(0)}, small{{32, 32, 32}, Vec3(6), Vec3(0)};
  for (const std::int64_t budget : {10 * mib, 24 * mib}) peak(budget, "facing", 4, flat);
  // Column sums of 48 subsets where there is room for all else.
  const std::int64_t kept = peak(50 * mib, "axis", 48, small);
  CHECK(peak(22 * mib, "axis", 48, small) < kept - 5 * mib);
  peak(18 * mib, "axis", 4, small, 5);
}

TEST_CASE("Summed areas take no more of the device than their budget") {
  constexpr std::int64_t mib = 1 << 20;
  for (const std::int64_t budget : {5 * mib / 2, 4 * mib, 6 * mib, 9 * mib})
    for (const Detector& d : {Detector{48, 48, 8, 8}, Detector{96, 96, 4, 4}}) {
      ReconOptions o{.method = "sirt", .model = "branchless_dd", .iterations = 1};
      o.precision = "fast";
      const std::int64_t bytes = peak_of(budget, o, {{32, 32, 31}, Vec3(6), Vec3(0)}, d);
      INFO(d.columns << " columns, " << budget << " bytes: " << bytes);
      // Sums of all views' columns are made from tables of as many views as there are: those are not counted.
      CHECK(bytes <= budget + 48 * 4 * (d.columns + 1) * (d.rows + 3));
    }
}

TEST_CASE("A pair of which a budget cuts one operator alone is refused") {
  constexpr std::int64_t mib = 1 << 20;
  ReconOptions o{.method = "sirt", .iterations = 1};
  o.packing = "orbit";
  o.precision = "fast";
  o.back_model = "voxel_driven";
  CHECK_THROWS_WITH(peak_of(6 * mib, o),
                    "--gpu-memory: has room for the volume as a whole, but not for packing orbit, too; use --packing "
                    "auto, or give more");
  CHECK(peak_of(9 * mib, o) <= 9 * mib);
}

}  // namespace backlit::gl
