#include "gl/beside_cuda.hpp"
#include "gl/context.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <backlit/core/error.hpp>
#include "gl/handles.hpp"
#include "gl/pass.hpp"
#include "gl/program.hpp"
#include "support/gl/gl_support.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace backlit::gl {
namespace {

ShaderReader files(std::map<std::string, std::string> texts) {
  return [texts = std::move(texts)](const std::string& path) -> std::optional<std::string> {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST_CASE("A context says what it is and what it can do") {
  const auto context = test_context();
  CHECK_FALSE(context->renderer().empty());
  CHECK_THAT(context->version(), StartsWith("4."));
  const Limits& l = context->limits();
  CHECK(l.texture_size >= 16384);  // what OpenGL 4.5 guarantees
  CHECK(l.texture_3d_size >= 2048);
  CHECK(l.array_layers >= 2048);
  CHECK(l.varying_components >= 60);
  context->check();
}

TEST_CASE("Asking for an EGL device that is not there says which there are") {
  const auto context = test_context();
  CHECK_THROWS_WITH(Context::create({.device = 63, .cuda_device = {}, .debug = false}),
                    StartsWith("device: there is no EGL device 63; "));
  CHECK_THROWS_WITH(Context::create({.device = {}, .cuda_device = 63, .debug = false}),
                    StartsWith("device: no EGL device belongs to CUDA device 63; "));
}

TEST_CASE("A device beside CUDA's is preferred, not demanded") {
  for (const int device : {0, 63}) CHECK(create_beside_cuda(device)->version().starts_with("4."));
}

TEST_CASE("A context of another thread shares textures, fences tell when they are filled") {
  const auto context = test_context();
  context->make_current();
  Texture texture("shared", GL_TEXTURE_2D, GL_R32F, 3, 5);
  texture.clear(0);
  Fence fence = Fence::here();
  std::thread([&] {
    const auto worker = Context::create({.share = context});
    fence.wait_on_device();
    texture.clear(7);
    fence = Fence::here();
    worker->check();
  }).join();
  fence.wait();
  std::array<float, 15> values{};
  glGetTextureImage(texture.id(), 0, GL_RED, GL_FLOAT, sizeof(values), values.data());
  CHECK(values == [] {
    std::array<float, 15> sevens;
    sevens.fill(7);
    return sevens;
  }());
  context->check();
}

TEST_CASE("A window's context is shared by its window system alone") {
  const auto owner = test_context();
  owner->make_current();
  CHECK_THROWS_WITH(Context::create({.share = Context::adopt()}), StartsWith("OpenGL: a window's context"));
}

TEST_CASE("Two contexts of one thread take turns") {
  const auto first = test_context();
  const Texture mine("mine", GL_TEXTURE_2D, GL_R32F, 3, 3);
  {
    const auto second = Context::create({});
    CHECK_FALSE(glIsTexture(mine.id()));
    first->make_current();
    CHECK(glIsTexture(mine.id()));
    second->make_current();
  }
  first->make_current();
  CHECK(glIsTexture(mine.id()));
  first->check();
}

TEST_CASE("Errors are recorded where they happen and thrown once") {
  const auto context = test_context();
  glTextureParameteri(0xffffff, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  CHECK_THROWS_WITH(context->check("here"), StartsWith("here: OpenGL: "));
  CHECK_NOTHROW(context->check());
}

TEST_CASE("Handles move, and delete what they own once") {
  const auto context = test_context();
  GLuint id = 0;
  {
    Texture a("first", GL_TEXTURE_2D_ARRAY, GL_R32F, 5, 3, 2);
    id = a.id();
    REQUIRE(id != 0);
    Texture b(std::move(a));
    CHECK(b.id() == id);
    CHECK_FALSE(a);
    CHECK(b.depth() == 2);
    Texture c("second", GL_TEXTURE_2D, GL_R32F, 4, 4);
    c = std::move(b);
    CHECK(c.id() == id);
    CHECK(c.width() == 5);
    CHECK(glIsTexture(id));
    char label[16] = {};
    glGetObjectLabel(GL_TEXTURE, id, sizeof label, nullptr, label);
    CHECK(std::string(label) == "first");
  }
  CHECK_FALSE(glIsTexture(id));
  Fence fence = Fence::here();
  fence.wait();
  const Fence moved(std::move(fence));
  CHECK(moved.passed());
  context->check();
}

TEST_CASE("Buffers give back what was written") {
  const auto context = test_context();
  const std::vector<float> values{1, 2, 3, 4, 5};
  Buffer buffer("numbers", 20, values.data());
  const std::vector<float> more{8, 9};
  buffer.write(std::as_bytes(std::span(more)), 4);
  std::vector<float> back(5);
  buffer.read(std::as_writable_bytes(std::span(back)));
  CHECK(back == std::vector<float>{1, 8, 9, 4, 5});
  context->check();
}

TEST_CASE("Includes are resolved once, defines follow #version, lines keep their numbers") {
  const auto read =
      files({{"main.frag", "#version 450 core\n#include \"a.glsl\"\n#include \"b.glsl\"\nvoid main() {}\n"},
             {"a.glsl", "int a;\n"},
             {"b.glsl", "#include \"a.glsl\"\nint b;\n"}});
  const ShaderText t = shader_text("main.frag", {{"N", "3"}}, {}, read);
  CHECK(t.text ==
        "#version 450 core\n#define N 3\n#line 2\n#line 100001\nint a;\n#line 3\n#line 200001\n#line 200002\nint b;\n"
        "#line 4\nvoid main() {}\n");
  CHECK(t.files == std::vector<std::string>{"main.frag", "a.glsl", "b.glsl"});
  CHECK(t.explain("0:100007(3): error: x") == "a.glsl:7: error: x");
  CHECK(t.explain("0(200009) : error C1: y") == "b.glsl:9: error C1: y");
}

TEST_CASE("A chosen file stands in for the one of its folder that a shader includes, and for no other") {
  const auto read =
      files({{"main.frag", "#version 450 core\n#include \"part/beam/cone.glsl\"\n#include \"part/a.glsl\"\n"},
             {"part/a.glsl", "a\n"},
             {"part/beam/cone.glsl", "cone\n"},
             {"part/beam/parallel.glsl", "parallel\n"}});
  const auto made_of = [&](const Choices& choices) { return shader_text("main.frag", {}, choices, read).files; };
  using Files = std::vector<std::string>;
  CHECK(made_of({}) == Files{"main.frag", "part/beam/cone.glsl", "part/a.glsl"});
  CHECK(made_of({"part/beam/parallel.glsl"}) == Files{"main.frag", "part/beam/parallel.glsl", "part/a.glsl"});
  CHECK(made_of({"other/beam/parallel.glsl"}) == Files{"main.frag", "part/beam/cone.glsl", "part/a.glsl"});
}

TEST_CASE("Shaders that cannot be put together name file and line") {
  CHECK_THROWS_WITH(shader_text("none.frag", {}, {}, files({})), "none.frag: there is no such shader");
  CHECK_THROWS_WITH(shader_text("m.frag", {}, {}, files({{"m.frag", "void main() {}\n"}})),
                    "m.frag:1: the first line of a shader must be #version");
  CHECK_THROWS_WITH(shader_text("m.frag", {}, {}, files({{"m.frag", "#version 450\n\n#include \"x.glsl\"\n"}})),
                    "m.frag:3: there is no shader file 'x.glsl' to include");
}

TEST_CASE("A compiler's complaint names the file and the line it is in") {
  const auto context = test_context();
  const auto read = files({{"bad.comp",
                            "#version 450 core\n#include \"part.glsl\"\nlayout(local_size_x = 1) in;\n"
                            "void main() {}\n"},
                           {"part.glsl", "int fine;\nint bad = nowhere;\n"}});
  CHECK_THROWS_WITH(Program("bad", {"bad.comp"}, {{"N", "3"}, {"M", "4"}}, {}, read),
                    StartsWith("shader bad.comp: part.glsl:2: ") && Contains("nowhere"));
  CHECK_THROWS_WITH(Program("odd", {"odd.txt"}, {}, {}, read), StartsWith("odd.txt: not a shader"));
  context->debug().take();
}

TEST_CASE("A folder named by BACKLIT_SHADER_DIR goes before embedded shaders") {
  const auto folder = std::filesystem::temp_directory_path() / "backlit_shader_test";
  std::filesystem::create_directories(folder / "shared");
  std::ofstream(folder / "shared/slice.vert") << "other";
  setenv("BACKLIT_SHADER_DIR", folder.c_str(), 1);
  const auto replaced = read_shader("shared/slice.vert"), kept = read_shader("voxel_driven/ag_gpu.vert");
  unsetenv("BACKLIT_SHADER_DIR");
  std::filesystem::remove_all(folder);
  CHECK(replaced == "other");
  REQUIRE(kept);
  CHECK_THAT(*kept, StartsWith("#version 450 core"));
}

TEST_CASE("Passes are counted and timed under their names, nested ones too") {
  const auto context = test_context();
  TimingTable table;
  { const Pass unseen(table, "off"); }
  table.enable(true);
  Texture t("t", GL_TEXTURE_2D, GL_R32F, 64, 64);
  for (int i = 0; i < 3; ++i) {
    const Pass outer(table, "outer");
    const Pass inner(table, "inner");
    t.clear(1);
  }
  const auto& times = table.collect();
  REQUIRE(times.size() == 2);
  CHECK(times.at("outer").calls == 3);
  CHECK(times.at("inner").calls == 3);
  CHECK(times.at("outer").seconds >= times.at("inner").seconds);
  CHECK(times.at("outer").seconds < 10);  // not the garbage that a first query can be
  context->check();
}

}  // namespace
}  // namespace backlit::gl
