// The viewer in a browser: frames are drawn off screen and sent; user input comes from the page.
#include <fmt/format.h>
#include <imgui.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include <backlit/core/printable.hpp>
#include "gl/beside_cuda.hpp"
#include "serve/frames/read_back.hpp"
#include "serve/input_queue.hpp"
#include "serve/server.hpp"
#include "window/surface.hpp"

namespace backlit::viewer {
namespace {

using namespace serve;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

constexpr auto frame_time = std::chrono::microseconds(16'667);  ///< 60 a second at most

std::atomic<bool> told_to_end = false;
extern "C" void end_served(int) { told_to_end = true; }

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string this_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 && name[0] ? name.data() : "HOST";
}

void say_where(const Server& server) {
  const Address& at = server.address();
  const char* const user = std::getenv("USER");
  // It listens on all addresses of this machine: print its name.
  const bool everywhere = at.host == "0.0.0.0" || at.host == "::";
  fmt::print("{}\n", everywhere ? server.url({this_host(), at.port}) : server.url(at));
  if (at.loopback())
    fmt::print("from another machine: ssh -L {}:{} {}@{}, and open that address there\n", at.port, at.text(),
               printable(user && *user ? user : "USER"), printable(this_host()));
  else
    write_to_standard_error(fmt::format(
        "backlit-view: {} is reached from other machines, and nothing is encrypted: whoever reads the network "
        "sees the token. 127.0.0.1 and ssh -L are safe.\n",
        at.text()));
  std::fflush(stdout);
}

const char* css_cursor(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_None:
      return "none";
    case ImGuiMouseCursor_TextInput:
      return "text";
    case ImGuiMouseCursor_ResizeAll:
      return "move";
    case ImGuiMouseCursor_ResizeNS:
      return "ns-resize";
    case ImGuiMouseCursor_ResizeEW:
      return "ew-resize";
    case ImGuiMouseCursor_ResizeNESW:
      return "nesw-resize";
    case ImGuiMouseCursor_ResizeNWSE:
      return "nwse-resize";
    case ImGuiMouseCursor_Hand:
      return "pointer";
    case ImGuiMouseCursor_NotAllowed:
      return "not-allowed";
    default:
      return "default";
  }
}

class Served final : public Surface {
 public:
  explicit Served(const SurfaceOptions& options)
      : size_{options.width, options.height},
        fixed_scale_(options.scale),
        context_(gl::create_beside_cuda(0, {.debug = options.debug})),
        server_(parse_address(options.serve), {.steered = [this](Message m) { steered(std::move(m)); },
                                               .dropped = [this](std::vector<std::string> f) { dropped(std::move(f)); },
                                               .watched = [this](bool watched) { watched_now(watched); }}),
        read_back_(context_, [this](std::shared_ptr<const Picture> p) { server_.show(std::move(p)); }) {
    std::signal(SIGINT, end_served);
    std::signal(SIGTERM, end_served);
    say_where(server_);
  }

  const std::shared_ptr<gl::Context>& context() const override { return context_; }
  WorkerContext worker_context() override {
    return [share = context_] { return gl::Context::create({.share = share}); };
  }

  /// Zero while no browser watches and no screenshot is due: then nothing is drawn, as in a hidden window.
  std::array<std::int64_t, 2> size() const override {
    const std::lock_guard lock(mutex_);
    return watched_ || unseen_ ? size_ : std::array<std::int64_t, 2>{0, 0};
  }
  void draw_unseen(bool needed) override {
    const std::lock_guard lock(mutex_);
    unseen_ = needed;
  }
  void resize(std::int64_t width, std::int64_t height) override {
    const std::lock_guard lock(mutex_);
    size_ = {std::min(width, largest_side), std::min(height, largest_side)};
  }
  float scale() const override {
    const std::lock_guard lock(mutex_);
    return fixed_scale_ > 0 ? fixed_scale_ : scale_;
  }

  bool poll(double patience) override {
    std::unique_lock lock(mutex_);
    const bool draws = watched_ || unseen_;
    if (!draws) patience = std::max(patience, 0.1);
    if (draws && inputs_.busy()) woken_ = true;  // only a frame takes inputs
    wake_.wait_for(lock, std::chrono::duration<double>(patience), [&] { return woken_; });
    wake_.wait_until(lock, due_, [&] { return false; });
    return std::exchange(woken_, false);
  }
  std::function<void()> waker() const override {
    return [this] {
      const std::lock_guard lock(mutex_);
      wake();
    };
  }
  bool closed() const override { return told_to_end; }
  void set_title(const std::string& title) override { send("title", title, true); }
  std::vector<std::string> take_dropped() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(dropped_, {});
  }

  void begin_frame(bool) override {
    const std::lock_guard lock(mutex_);
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = this;
    io.GetClipboardTextFn = [](void* self) { return static_cast<Served*>(self)->clipboard_.c_str(); };
    io.SetClipboardTextFn = [](void* self, const char* text) { static_cast<Served*>(self)->copied(text); };
    io.DisplaySize = {static_cast<float>(size_[0]), static_cast<float>(size_[1])};
    const auto now = Clock::now();
    due_ = std::max(due_ + frame_time, now + frame_time / 2);  // the frames after a late one come sooner
    const double seconds = std::chrono::duration<double>(now - std::exchange(last_frame_, now)).count();
    io.DeltaTime = static_cast<float>(std::clamp(seconds, 1e-4, 1.0));
    if (std::exchange(pasting_, false)) clipboard_ = pasted_;
    inputs_.apply(io);
  }

  void show(const gl::Texture& frame) override {
    read_back_.begin(frame);
    if (const char* now = css_cursor(ImGui::GetMouseCursor()); std::exchange(cursor_, now) != std::string_view(now))
      send("cursor", now, true);
    if (const bool now = ImGui::GetIO().WantTextInput; std::exchange(typing_, now) != now)
      server_.send("typing", json_text({{"kind", "typing"}, {"wanted", now}}), true);
  }

 private:
  /// The caller holds the mutex.
  void wake() const {
    woken_ = true;
    wake_.notify_one();
  }
  void send(const char* kind, const std::string& text, bool kept) {
    server_.send(kind, json_text({{"kind", kind}, {"text", text}}), kept);
  }
  void copied(const char* text) {
    clipboard_ = text;
    send("clipboard", text, false);
  }

  void steered(Message message) {
    const std::lock_guard lock(mutex_);
    if (const auto* resized = std::get_if<WindowResized>(&message)) {
      size_ = {resized->width, resized->height};
      scale_ = resized->scale;
    } else if (auto* const paste = std::get_if<TextPasted>(&message)) {
      pasted_ = std::move(paste->text);
      pasting_ = true;
      for (const bool down : {true, false}) inputs_.push(KeyChanged{"V", down, {.ctrl = down}});
    } else {
      std::visit(
          [this](auto& input) {
            if constexpr (std::is_constructible_v<Input, decltype(input)>) inputs_.push(input);
          },
          message);
    }
    wake();
  }
  void dropped(std::vector<std::string> files) {
    const std::lock_guard lock(mutex_);
    dropped_.insert(dropped_.end(), files.begin(), files.end());
    wake();
  }
  void watched_now(bool watched) {
    const std::lock_guard lock(mutex_);
    watched_ = watched;
    wake();
  }

  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  mutable bool woken_ = false;
  bool watched_ = false, unseen_ = false;
  std::array<std::int64_t, 2> size_;
  float fixed_scale_, scale_ = 1;
  InputQueue inputs_;
  std::vector<std::string> dropped_;
  std::string pasted_;
  bool pasting_ = false;

  // Only for the window's thread:
  Clock::time_point last_frame_{}, due_{};  ///< begin of the last frame, and of the next one at the earliest
  std::string clipboard_;
  std::string_view cursor_ = "default";
  bool typing_ = false;
  std::shared_ptr<gl::Context> context_;
  Server server_;       ///< its thread uses the members above
  ReadBack read_back_;  ///< its thread uses the server
};

}  // namespace

std::unique_ptr<Surface> make_served(const SurfaceOptions& options) { return std::make_unique<Served>(options); }

}  // namespace backlit::viewer
