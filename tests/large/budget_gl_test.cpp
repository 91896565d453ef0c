// What reconstructions take of OpenGL's memory, counted as it is given out, against --gpu-memory.
#include <algorithm>

#include <backlit/recon/reconstruction.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "large/large_backend.hpp"
#include "support/gl/gl_cases.hpp"
#include "support/recon/recon_options.hpp"

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

const VolumeGrid cube{{32, 32, 31}, Vec3(6), Vec3(0)};

/// One iteration, or FDK, of 24 views.
std::int64_t peak_of(std::int64_t budget, const ReconOptions& options, const VolumeGrid& grid = cube,
                     const Detector& d = {32, 32, 12, 12}) {
  Projections views({d, circular_views(d, equal_angles(24), 1000, 1500)});
  std::ranges::fill(views.values.span(), 1.0f);
  LargeBackend backend(std::make_unique<GlBackend>(test_context()), budget);
  backend.activate();
  const Storage storage;
  const auto recon = make_reconstruction(backend, std::make_shared<MemorySource>(std::move(views)), grid, options);
  while (recon->step() != Reconstruction::Status::finished) continue;
  backend.finish();
  return storage.peak();
}

}  // namespace

TEST_CASE("Reconstructions take no more of the device than their budget") {
  constexpr std::int64_t kib = 1 << 10, volume = 4 * 32 * 32 * 31;
  struct Way {
    std::int64_t budget;
    const char *method, *precision;
    bool unmatched;
  };
  for (const Way& way : {Way{600 * kib, "fdk", "half", false}, Way{600 * kib, "sirt", "half", true},
                         Way{600 * kib, "ossart", "fast", true}, Way{1800 * kib, "fdk", "fast", false},
                         Way{1800 * kib, "sart", "half", false}}) {
    ReconOptions o{.method = way.method};
    if (o.method != "fdk") o.iterations = 1;
    o.precision = way.precision;
    if (way.unmatched) o.back_model = "voxel_driven";
    if (o.method == "ossart") o.subsets = 8;
    const std::int64_t peak = peak_of(way.budget, o);
    INFO(way.method << ", " << way.precision << ", " << way.budget << " bytes: " << peak);
    CHECK(peak <= way.budget + way.budget / 8);  // staging keeps batches of two sizes, a sixteenth each
    CHECK(peak > volume / 2);                    // it has been counted
  }
}

TEST_CASE("Emission takes no more of the device than its budget, or is refused") {
  constexpr std::int64_t mib = 1 << 20;
  const VolumeGrid flat{{16, 16, 16}, {4, 4, 1}, Vec3(0)}, small{{16, 16, 16}, Vec3(8), Vec3(0)};
  const auto peak = [](std::int64_t budget, const char* slices, std::int64_t subsets, const VolumeGrid& grid) {
    ReconOptions o{.method = "osem", .model = "emission", .iterations = 1, .subsets = subsets};
    o.emission.emission_slices = slices;
    return peak_of(budget, o, grid, {24, 24, 12, 12});
  };
  CHECK(peak(8 * mib, "facing", 4, flat) <= 8 * mib);
  CHECK(peak(4 * mib, "axis", 24, small) <= 4 * mib);
  CHECK_THROWS_WITH(peak(1 * mib, "axis", 24, small), Catch::Contains("gpu_memory: 1 MiB is too little for emission"));
}

TEST_CASE("Summed areas take no more of the device than their budget") {
  constexpr std::int64_t kib = 1 << 10;
  const Detector d{32, 32, 12, 12};
  for (const std::int64_t budget : {1000 * kib, 3000 * kib}) {
    ReconOptions o{.method = "sirt", .model = "branchless_dd", .iterations = 1};
    o.precision = "fast";
    const std::int64_t bytes = peak_of(budget, o, cube, d);
    INFO(budget << " bytes: " << bytes);
    // Sums of all views' columns are made from tables of as many views as there are: those are not counted.
    CHECK(bytes <= budget + 24 * 4 * (d.columns + 1) * (d.rows + 3));
  }
}

TEST_CASE("A pair of which a budget cuts one operator alone works on the same arrays") {
  ReconOptions o{.method = "sirt", .iterations = 1};
  o.packing = "orbit";
  o.precision = "fast";
  o.back_model = "voxel_driven";
  for (const std::int64_t budget : {1400 << 10, 3000 << 10}) CHECK(peak_of(budget, o) <= budget + budget / 8);
}

}  // namespace backlit::gl
