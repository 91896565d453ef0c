#include "model/engine/worker.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <future>

#include <backlit/core/error.hpp>
#include "model/engine/engine.hpp"

namespace backlit::viewer {
namespace {

bool is_control(const Order& order) { return std::holds_alternative<order::Control>(order); }

template <class... Kinds>
bool is_any_of(const Order& order) {
  return (std::holds_alternative<Kinds>(order) || ...);
}

/// Whether a new order replaces a waiting one of the same kind.
bool replaces(const Order& next, const Order& waiting) {
  if (next.index() != waiting.index()) return false;
  const auto* segment = std::get_if<order::Segment>(&waiting);
  if (segment && segment->surface.empty()) return true;
  return is_any_of<order::Run, order::Slices, order::Candidates, order::Oblique, order::D2vr, order::Compare,
                   order::ShowSegment, order::Denoise, order::Sinogram, order::Preview>(next);
}

/// Whether an order applies to the last run ordered, begun or not (pause, resume).
bool holds(const Order& order) {
  const auto* control = std::get_if<order::Control>(&order);
  return control && (*control == order::Control::pause || *control == order::Control::resume);
}

/// Whether an order makes the work in progress obsolete.
bool interrupts(const Order& order) {
  if (const auto* control = std::get_if<order::Control>(&order)) return *control == order::Control::cancel;
  return std::holds_alternative<order::Open>(order) || std::holds_alternative<order::Watch>(order);
}

/// Whether an order is a pane's, which asks once.
bool is_picture(const Order& order) {
  return is_any_of<order::Slices, order::Candidates, order::Oblique, order::D2vr, order::Compare, order::ShowSegment,
                   order::Sinogram, order::Preview>(order);
}

/// Whether an error in an order ends the run in progress: it is the run's own, or was to replace it.
bool ends_run(const Order& order) { return is_any_of<order::Open, order::Watch, order::Run, order::Control>(order); }

}  // namespace

struct Worker::Shared {
  WorkerOptions options;
  DisplayGate gate, pinned_gate, segment_gate;
  FramesFirst frames_first;
  std::unique_ptr<gl::GlDisplayVolume> display, pinned, segment;

  mutable std::mutex mutex;  ///< guards the members below
  std::condition_variable changed;
  std::deque<Order> orders;
  std::vector<Event> events;
  std::shared_ptr<CancelToken> cancel = std::make_shared<CancelToken>();
  bool quit = false, at_work = false, calibrates = false, smooths = false, looks_for_faults = false;

  void emit(Event event) {
    {
      const std::lock_guard lock(mutex);
      events.push_back(std::move(event));
    }
    if (options.wake) options.wake();
  }

  /// Takes the next order, if there is one; waits for one if the engine has nothing to do. False: quit.
  bool next(std::optional<Order>& order, std::shared_ptr<CancelToken>& token, const Engine& engine) {
    std::unique_lock lock(mutex);
    const auto called = [this] { return quit || !orders.empty(); };
    if (!engine.busy()) {
      at_work = false;
      changed.wait(lock, called);
    } else if (engine.waiting()) {
      at_work = engine.histogram_pending();
      changed.wait_for(lock, std::chrono::milliseconds(20), called);
    }
    if (quit) return false;
    at_work = true;
    if (cancel->requested()) cancel = std::make_shared<CancelToken>();
    token = cancel;
    order.reset();
    calibrates = smooths = looks_for_faults = false;
    if (!orders.empty() && (!engine.committed() || is_control(orders.front()) || interrupts(orders.front()))) {
      order = std::move(orders.front());
      orders.pop_front();
      calibrates = std::holds_alternative<order::Calibrate>(*order);
      smooths = std::holds_alternative<order::Denoise>(*order);
      looks_for_faults = std::holds_alternative<order::FindFaults>(*order);
    }
    return true;
  }

  /// A pane's order that was cancelled with the run waits again, unless a newer one has come.
  void wait_again(const Order& order) {
    const std::lock_guard lock(mutex);
    const bool replaced = std::ranges::any_of(orders, [&](const Order& waiting) {
      return replaces(waiting, order) || std::holds_alternative<order::Open>(waiting) ||
             std::holds_alternative<order::Watch>(waiting);
    });
    if (!replaced) orders.push_back(order);
  }

  /// See EngineOptions.
  std::optional<order::Run> take_run(double seconds, const std::function<bool(const order::Run&)>& fits) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return quit || !orders.empty(); });
    const auto* run = quit || orders.empty() ? nullptr : std::get_if<order::Run>(&orders.front());
    if (!run || !fits(*run)) return {};
    std::optional<order::Run> taken = std::move(std::get<order::Run>(orders.front()));
    orders.pop_front();
    return taken;
  }

  void attempt(Engine& engine, const std::optional<Order>& order, const CancelToken& token) {
    try {
      if (order)
        engine.obey(*order, token);
      else
        engine.work(token);
    } catch (const Cancelled&) {
      if (order && is_picture(*order)) return wait_again(*order);
      emit(event::Finished{false, true});
    } catch (const std::exception& error) {
      if (order && !ends_run(*order)) return emit(event::Warned{error.what()});
      engine.give_up();
      emit(event::Failed{error.what()});
    }
  }

  void loop(Engine& engine) {
    std::optional<Order> order;
    std::shared_ptr<CancelToken> token;
    while (next(order, token, engine))
      if (order || engine.busy()) attempt(engine, order, *token);
  }

  void run(std::promise<void>& started) {
    std::unique_ptr<Engine> engine;
    std::shared_ptr<gl::Context> context;
    try {
      context = options.make_context();
      if (context->limits().software) context->cut_passes(FramesFirst::piece, [this] { frames_first.give_way(); });
      display = std::make_unique<gl::GlDisplayVolume>(context);
      pinned = std::make_unique<gl::GlDisplayVolume>(context);
      segment = std::make_unique<gl::GlDisplayVolume>(context);
      engine = std::make_unique<Engine>(
          EngineOptions{context, display.get(), &gate, [this](Event e) { emit(std::move(e)); }, options.memory_bytes,
                        [this](double seconds, const auto& fits) { return take_run(seconds, fits); }, pinned.get(),
                        &pinned_gate, segment.get(), &segment_gate});
    } catch (...) {
      started.set_exception(std::current_exception());
      return;
    }
    started.set_value();
    loop(*engine);
    engine.reset();
    display.reset();
    pinned.reset();
    segment.reset();
  }
};

Worker::Worker(WorkerOptions options) : shared_(std::make_unique<Shared>()) {
  shared_->options = std::move(options);
  std::promise<void> started;
  auto ready = started.get_future();
  thread_ = std::thread([this, &started] { shared_->run(started); });
  try {
    ready.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

Worker::~Worker() {
  shared_->gate.end({});
  shared_->pinned_gate.end({});
  shared_->segment_gate.end({});
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->quit = true;
    shared_->cancel->request();
  }
  shared_->changed.notify_all();
  thread_.join();
}

void Worker::give(Order order) {
  {
    const std::lock_guard lock(shared_->mutex);
    auto& orders = shared_->orders;
    if (interrupts(order)) {
      shared_->cancel->request();
      const bool keep_pictures = is_control(order);
      std::erase_if(orders, [&](const Order& waiting) { return !keep_pictures || !is_picture(waiting); });
    }
    std::erase_if(orders, [&](const Order& waiting) { return replaces(order, waiting); });
    const bool runs = std::holds_alternative<order::Run>(order),
               smooths = std::holds_alternative<order::Denoise>(order);
    if ((shared_->smooths && (runs || smooths)) || (shared_->looks_for_faults && runs)) shared_->cancel->request();
    // Control orders come first, in their order. Pause and resume come after a waiting run, so that they apply to it.
    auto place = orders.end();
    if (is_control(order)) {
      place = orders.begin();
      for (auto waiting = orders.begin(); waiting != orders.end(); ++waiting)
        if (is_control(*waiting) || (holds(order) && std::holds_alternative<order::Run>(*waiting)))
          place = std::next(waiting);
    }
    orders.insert(place, std::move(order));
  }
  shared_->changed.notify_all();
}

void Worker::cancel_calibration() {
  const std::lock_guard lock(shared_->mutex);
  std::erase_if(shared_->orders, [](const Order& o) { return std::holds_alternative<order::Calibrate>(o); });
  if (shared_->calibrates) shared_->cancel->request();
}

std::vector<Event> Worker::take_events() {
  const std::lock_guard lock(shared_->mutex);
  return std::exchange(shared_->events, {});
}

bool Worker::idle() const {
  const std::lock_guard lock(shared_->mutex);
  return !shared_->at_work && shared_->orders.empty() && shared_->events.empty();
}

gl::GlDisplayVolume::Front Worker::begin_frame() {
  return shared_->gate.begin([this] { return shared_->display->front(); });
}

gl::GlDisplayVolume::Front Worker::begin_pinned() {
  return shared_->pinned_gate.begin([this] { return shared_->pinned->front(); });
}

gl::GlDisplayVolume::Front Worker::begin_segment() {
  return shared_->segment_gate.begin([this] { return shared_->segment->front(); });
}

FramesFirst& Worker::frames_first() { return shared_->frames_first; }

void Worker::end_frame() {
  shared_->gate.end(gl::Fence::here());
  shared_->pinned_gate.end(gl::Fence::here());
  shared_->segment_gate.end(gl::Fence::here());
}

}  // namespace backlit::viewer
