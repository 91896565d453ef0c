#include "operator.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include <backlit/core/error.hpp>
#include <backlit/device/cpu/cpu_array.hpp>
#include <backlit/projectors/moves_views.hpp>
#include <backlit/projectors/projector.hpp>
#if defined(BACKLIT_HAVE_CUDA)
#include <backlit/cuda.hpp>
#endif
#include "exchange.hpp"
#include "volume_of.hpp"

namespace backlit::python {
namespace {

/// Samples on a ray that the CPU computes in some tenths of a second. Ctrl-C is checked between two such parts.
constexpr std::int64_t samples_at_once = 100'000'000;

int devices_of_cuda() {
#if defined(BACKLIT_HAVE_CUDA)
  return cuda_devices();
#else
  return 0;
#endif
}

/// In a plan's name: for arrays that already lie on the device.
const std::string whole_words = " whole ";

/// One volume as small as this does not fill a large card: some of a batch are computed side by side.
constexpr std::int64_t few_voxels = std::int64_t{1} << 21, few_pixels = std::int64_t{1} << 23;
constexpr std::size_t most_lanes = 4;

bool same(const Scan& a, const Scan& b) { return a.detector == b.detector && a.views == b.views; }

}  // namespace

/// An operator on a device, with memory for its input and output.
struct Operator::Plan {
  pid_t process = getpid();
  std::unique_ptr<Backend> backend;
  std::unique_ptr<LinearOperator> op;
  std::shared_ptr<const Scan> scan;  ///< of op
  std::map<std::int64_t, ArrayPtr> ranges{};
  ArrayPtr domain{};
  std::vector<float> host{};
#if defined(BACKLIT_HAVE_CUDA)
  std::unique_ptr<CudaStreamOrder> order{};
  std::unique_ptr<CudaGeometryGradient> gradient{};  ///< kept while the device works on it
#endif

  DeviceArray& domain_array() {
    if (!domain) domain = op->make_domain();
    return *domain;
  }
  DeviceArray& range_array(std::int64_t rows) {
    ArrayPtr& array = ranges[rows];
    if (!array) array = op->make_range(rows);
    return *array;
  }
  DeviceArray& array(bool of_domain, std::int64_t rows) { return of_domain ? domain_array() : range_array(rows); }
  /// Host memory for an array's values, all set to 0.
  std::span<float> room(const DeviceArray& array) {
    host.assign(static_cast<std::size_t>(array.count()), 0.0f);
    return host;
  }

  /// Destroys what refers to the backend before the backend.
  ~Plan() {
    if (!backend) return;
    backend->activate();
    op.reset();
#if defined(BACKLIT_HAVE_CUDA)
    gradient.reset();
#endif
  }
};

struct Operator::Plans {
  std::mutex mutex;
  bool not_on_cuda = false;  ///< CUDA does not have the model
  std::map<std::pair<std::string, int>, std::unique_ptr<Plan>> all;
};

Operator::Operator(const VolumeGrid& grid, std::vector<std::int64_t> range, Make make, DeviceChoice device, Scan scan)
    : grid_(grid),
      range_(std::move(range)),
      make_(std::move(make)),
      device_(std::move(device)),
      scan_(std::make_shared<const Scan>(std::move(scan))),
      plans_(std::make_shared<Plans>()) {
  const auto names = backend_names();
  if (device_.name != "auto" && std::ranges::find(names, device_.name) == names.end()) {
    std::string known = "auto";
    for (const auto& name : names) known += ", " + name;
    throw InputError("device", "there is no '" + device_.name + "'", "choose one of " + known);
  }
}

std::shared_ptr<Operator> Operator::moved(const Scan& scan) const {
  const Detector &mine = scan_->detector, &other = scan.detector;
  if (scan.view_count() != scan_->view_count() || other.rows != mine.rows || other.columns != mine.columns)
    throw InputError("geometry", "has another number of views or pixels",
                     "give " + std::to_string(scan_->view_count()) + " views of " + std::to_string(mine.rows) + " x " +
                         std::to_string(mine.columns) + " pixels, or make another operator");
  auto made = std::make_shared<Operator>(*this);
  made->scan_ = std::make_shared<const Scan>(scan);
  return made;
}

Operator::Plan& Operator::plan_on(const std::string& name, std::int64_t index, const std::string& use) {
  const std::pair key(name + use, static_cast<int>(index));
  if (const auto found = plans_->all.find(key); found != plans_->all.end()) {
    if (name != "cpu" && found->second->process != getpid())
      throw Failure("device", name + " was in use before this process was forked, and cannot be used in both",
                    "start processes by spawn, or make the first call after the fork");
    return *found->second;
  }
  auto plan = std::make_unique<Plan>();
  BackendOptions options = device_.options();
  options.device = index;
  if (!use.empty() || name == "cpu") options.further_devices.clear();
  plan->backend = make_backend(name, options);
#if defined(BACKLIT_HAVE_CUDA)
  if (!use.empty()) plan->order = std::make_unique<CudaStreamOrder>(*plan->backend);
#endif
  return *plans_->all.emplace(key, std::move(plan)).first->second;
}

/// Gives a plan, whose backend is active, this operator's views where it has others.
void Operator::place(Plan& plan, bool whole) {
  if (plan.scan && (plan.scan == scan_ || same(*plan.scan, *scan_))) return;
  plan.scan.reset();
  auto* const moves = dynamic_cast<MovesViews*>(plan.op.get());
  if (!moves || !moves->place(*scan_)) {
    plan.op.reset();  // gives its memory back first
    plan.op = make_(whole ? plan.backend->innermost() : *plan.backend, *scan_);
  }
  plan.scan = scan_;
}

/// The plan for arrays in host memory, on the requested device. "auto" is CUDA if a card exists and has the model,
/// otherwise the CPU.
Operator::Plan& Operator::host_plan() {
  const auto placed = [&](const std::string& name, std::int64_t index) -> Plan& {
    Plan& plan = plan_on(name, index, "");
    plan.backend->activate();
    place(plan, false);
    return plan;
  };
  if (device_.name != "auto") return placed(device_.name, device_.index());
  if (devices_of_cuda() > 0 && !plans_->not_on_cuda) try {
      return placed("cuda", device_.index());
    } catch (const Unsupported&) {
      plans_->all.erase({"cuda", static_cast<int>(device_.index())});
      plans_->not_on_cuda = true;
    }
  return placed("cpu", 0);
}

Operator::Plan& Operator::cuda_plan(int device, std::size_t lane) {
#if !defined(BACKLIT_HAVE_CUDA)
  throw Unsupported("device", "this build has no CUDA, and the array lies on a CUDA device",
                    "build Backlit where nvcc is, or move the array to the CPU");
#endif
  if (device_.devices.size() > 1)
    throw InputError("device", "several devices share arrays of the host, and this one lies on a CUDA device",
                     "make the operator with one device, or move the array");
  if (device_.name != "auto" && (device_.name != "cuda" || device_.index() != device))
    throw InputError("device",
                     "the array lies on cuda:" + std::to_string(device) + ", the operator on " + device_.name +
                         (device_.name == "cuda" ? ":" + std::to_string(device_.index()) : ""),
                     "make the operator with device=\"auto\", or move the array");
  return plan_on("cuda", device, whole_words + std::to_string(lane));
}

std::size_t Operator::lanes_for(std::size_t batch) const {
  std::int64_t pixels = 1;
  for (const std::int64_t n : range_) pixels *= n;
  const bool small = range_.size() == 3 && grid_.voxels() <= few_voxels && pixels <= few_pixels;
  return std::min(batch, small ? most_lanes : 1);
}

Operator::Plan& Operator::any_plan() {
  for (auto& [key, plan] : plans_->all) {
    if (!plan->op) continue;  // refused
    plan->backend->activate();
    place(*plan, key.first.find(whole_words) != std::string::npos);
    return *plan;
  }
  return host_plan();
}

std::string Operator::variant() {
  const nb::gil_scoped_release released;
  const std::lock_guard lock(plans_->mutex);
  return any_plan().op->variant();
}

bool Operator::matched() {
  const nb::gil_scoped_release released;
  const std::lock_guard lock(plans_->mutex);
  return any_plan().op->matched();
}

std::string Operator::device() {
  const nb::gil_scoped_release released;
  const std::lock_guard lock(plans_->mutex);
  const Plan& plan = any_plan();
  return plan.backend->name() + ", " + plan.backend->device();
}

void Operator::time_passes(bool on) {
  for (auto& [key, plan] : plans_->all) plan->backend->time_passes(on);
}

std::map<std::string, double> Operator::pass_seconds() {
  std::map<std::string, double> seconds;
  for (auto& [key, plan] : plans_->all)
    for (const auto& [name, time] : plan->backend->pass_times()) seconds[name] += time.seconds;
  return seconds;
}

void Operator::finish() {
  const nb::gil_scoped_release released;
  const std::lock_guard lock(plans_->mutex);
  for (auto& [key, plan] : plans_->all) plan->backend->finish();
}

void Operator::run(Plan& plan, bool transposed, const DeviceArray& from, DeviceArray& to, const Subset& rows,
                   Write write) {
  if (transposed)
    plan.op->back(from, to, rows, write);
  else
    plan.op->forward(from, to, rows, write);
}

/// The CPU's arrays hold double: double arrays of a program are used in place, others go through the plan's. Works on
/// some views at a time and checks Ctrl-C between them.
void Operator::on_cpu(Plan& plan, bool transposed, const Strided& from, const Strided& to, const Subset& rows,
                      bool add) {
  const ArrayShape all = plan.op->range(), domain = plan.op->domain(), range{all.n0, all.n1, rows.count};
  const auto shape = [&](bool is_domain) { return is_domain ? domain : range; };
  const auto kept = [&](bool is_domain) {
    ArrayPtr& array = is_domain ? plan.domain : plan.ranges[rows.count];
    if (!array) array = std::make_unique<CpuArray>(shape(is_domain));
    return cpu_values(*array);
  };
  const bool as_it_is = from.plain(ValueType::f64), in_place = to.plain(ValueType::f64);
  CpuArray x(shape(!transposed), as_it_is ? static_cast<double*>(from.data) : kept(!transposed)),
      y(shape(transposed), in_place ? static_cast<double*>(to.data) : kept(transposed));
  if (!as_it_is) read_values(from, x.data());
  const std::int64_t row = range.n0 * range.n1;
  const std::int64_t longest = std::max({domain.n0, domain.n1, domain.n2});
  const std::int64_t part = std::max<std::int64_t>(1, samples_at_once / std::max<std::int64_t>(1, row * longest));
  bool accumulate = in_place && add;
  for (std::int64_t first = 0; first < rows.count; first += part) {
    const std::int64_t count = std::min(part, rows.count - first);
    CpuArray views({range.n0, range.n1, count}, (transposed ? x : y).data() + first * row);
    const Subset some{rows.first + first * rows.stride, count, rows.stride};
    const Write write = accumulate ? Write::accumulate : Write::overwrite;
    if (transposed)
      run(plan, true, views, y, some, write);
    else
      run(plan, false, x, views, some, write);
    accumulate = accumulate || transposed;
    if (first + count < rows.count) check_signals();
  }
  if (!in_place) write_values(y.data(), to, add);
}

void Operator::on_host(Plan& plan, bool transposed, const Strided& from, const Strided& to, const Subset& rows,
                       bool add) {
  DeviceArray& x = plan.array(!transposed, rows.count);
  DeviceArray& y = plan.array(transposed, rows.count);
  const auto as_it_is = [](const Strided& s, const DeviceArray& a) {
    return s.plain(ValueType::f32) && s.count() == a.count();
  };
  if (as_it_is(from, x)) {
    plan.backend->upload({static_cast<const float*>(from.data), static_cast<std::size_t>(from.count())}, x);
  } else {
    const std::span<float> host = plan.room(x);
    read_values(from, host.data());
    plan.backend->upload(host, x);
    plan.backend->finish();
  }
  run(plan, transposed, x, y, rows, Write::overwrite);
  if (as_it_is(to, y) && !add) {
    plan.backend->download(y, {static_cast<float*>(to.data), static_cast<std::size_t>(to.count())});
  } else {
    const std::span<float> host = plan.room(y);
    plan.backend->download(y, host);
    write_values(host.data(), to, add);
  }
}

#if defined(BACKLIT_HAVE_CUDA)
namespace {
CudaMemory memory_of(const Strided& s) {
  return {s.data, static_cast<CudaMemory::Type>(static_cast<int>(s.type)), s.size, s.stride};
}
}  // namespace

void Operator::on_cuda(Plan& plan, bool transposed, const Strided& from, const Strided& to, const Subset& rows,
                       bool add) {
  Backend& backend = plan.backend->innermost();
  const ArrayShape all = plan.op->range(), range{all.n0, all.n1, rows.count}, domain = plan.op->domain();
  ArrayPtr wrapped_x, wrapped_y;
  const auto wrap = [&](const Strided& s, bool is_domain, ArrayPtr& wrapped) -> DeviceArray& {
    if (!s.plain(ValueType::f32)) return plan.array(is_domain, rows.count);
    wrapped = cuda_array(backend, is_domain ? domain : range, static_cast<float*>(s.data));
    return *wrapped;
  };
  DeviceArray& x = wrap(from, !transposed, wrapped_x);
  DeviceArray& y = wrap(to, transposed, wrapped_y);
  if (!wrapped_x) read_cuda_memory(backend, memory_of(from), x);
  run(plan, transposed, x, y, rows, wrapped_y && add ? Write::accumulate : Write::overwrite);
  if (!wrapped_y) write_cuda_memory(backend, y, memory_of(to), add ? Write::accumulate : Write::overwrite);
}

template <class Work>
void Operator::with_stream(std::span<Plan* const> plans, std::uintptr_t stream, Work&& work) {
  if (plans.empty()) return work();
  CudaStreamOrder& order = *plans.front()->order;
  const auto caller = reinterpret_cast<void*>(stream);
  order.enter(caller);
  try {
    with_stream(plans.subspan(1), stream, work);
  } catch (...) {
    order.leave(caller);
    throw;
  }
  order.leave(caller);
}

void Operator::geometry_gradient(const ProgramArray& volume, const ProgramArray& weights, const ProgramArray& gradients,
                                 std::uintptr_t stream) {
  const std::array<std::int64_t, 3> domain{grid_.size[2], grid_.size[1], grid_.size[0]};
  const auto x = batch_of(volume, domain, "volume"), w = batch_of(weights, range_, "weights");
  const std::array<std::int64_t, 2> numbers{range_[0], 12};
  const auto g = batch_of(gradients, numbers, "gradients");
  const auto plain = [](const std::vector<Strided>& batch, ValueType type) {
    return std::ranges::all_of(batch, [&](const Strided& s) { return s.plain(type); });
  };
  const bool typed = volume.type == ValueType::f32 || volume.type == ValueType::f64;
  if (!typed || x.size() != w.size() || g.size() != 1 || !plain(x, volume.type) || !plain(w, volume.type) ||
      !plain(g, ValueType::f64))
    throw InputError("gradients", "arrays are not contiguous, or of other types or batches",
                     "give volume and weights of one type, 32 or 64 bits, and gradients of 64 bits");
  if (!volume.place.cuda || weights.place != volume.place || gradients.place != volume.place)
    throw InputError("gradients", "arrays do not lie on one CUDA device", "move them there");

  const nb::gil_scoped_release released;
  const std::lock_guard lock(plans_->mutex);
  Plan& plan = cuda_plan(volume.place.index);
  Plan* const plans[] = {&plan};
  with_stream(plans, stream, [&] {
    if (!plan.gradient) plan.gradient = std::make_unique<CudaGeometryGradient>(*plan.backend, grid_, range_[0]);
    plan.gradient->place(*scan_);
    for (std::size_t i = 0; i < x.size(); ++i)
      plan.gradient->add(memory_of(x[i]), memory_of(w[i]), static_cast<double*>(g.front().data));
  });
}
#else
void Operator::on_cuda(Plan&, bool, const Strided&, const Strided&, const Subset&, bool) {}
void Operator::geometry_gradient(const ProgramArray&, const ProgramArray&, const ProgramArray&, std::uintptr_t) {
  throw Unsupported("device", "this build has no CUDA", "move the arrays to the CPU");
}
#endif

void Operator::apply(bool transposed, const ProgramArray& from, const ProgramArray& to, const Subset& rows, bool add,
                     [[maybe_unused]] std::uintptr_t stream) {
  const std::array<std::int64_t, 3> domain{grid_.size[2], grid_.size[1], grid_.size[0]};
  std::vector<std::int64_t> range = range_;
  range[0] = rows.count;
  const auto shape = [&](bool is_domain) { return is_domain ? std::span<const std::int64_t>(domain) : range; };
  const auto x = batch_of(from, shape(!transposed), transposed ? "projections" : "volume");
  const auto y = batch_of(to, shape(transposed), transposed ? "out (volume)" : "out (projections)");
  if (x.size() != y.size())
    throw InputError("out", "is a batch of " + std::to_string(y.size()) + " for one of " + std::to_string(x.size()),
                     "give both the same leading axes");
  const Place place = from.place;
  if (to.place != place) throw InputError("out", "lies on another device than the array", "make it on the same device");

  const nb::gil_scoped_release released;
  const std::lock_guard lock(plans_->mutex);
  if (!place.cuda) {
    Plan& plan = host_plan();
    const auto how = plan.backend->name() == "cpu" ? &Operator::on_cpu : &Operator::on_host;
    for (std::size_t i = 0; i < x.size(); ++i) (this->*how)(plan, transposed, x[i], y[i], rows, add);
    return;
  }
  const bool one_place = y.size() > 1 && y[0].data == y[1].data;  // in which they are added up
  const std::size_t lanes = one_place ? 1 : lanes_for(x.size());
  std::vector<Plan*> plans;
  for (std::size_t lane = 0; lane < lanes; ++lane) plans.push_back(&cuda_plan(place.index, lane));
#if defined(BACKLIT_HAVE_CUDA)
  with_stream(plans, stream, [&] {
    for (Plan* const plan : plans) this->place(*plan, true);
    for (std::size_t i = 0; i < x.size(); ++i) on_cuda(*plans[i % plans.size()], transposed, x[i], y[i], rows, add);
  });
#endif
}

namespace {

/// An array in numbers, for libraries whose DLPack takes longer than a call: address, ValueType, index of the CUDA
/// device or -1 for the host, shape, strides in values.
using Memory = std::tuple<std::uintptr_t, int, int, std::vector<std::int64_t>, std::vector<std::int64_t>>;
ProgramArray program_array(const Memory& memory) {
  const auto& [data, type, device, shape, stride] = memory;
  if (type < 0 || type > static_cast<int>(ValueType::f64) || shape.size() != stride.size())
    throw InputError("array", "has another type, or not a stride for each axis", "convert it to float32");
  return {
      reinterpret_cast<void*>(data), static_cast<ValueType>(type), {device >= 0, std::max(device, 0)}, shape, stride};
}

/// New CUDA memory as an array with DLPack, for libraries whose arrays Backlit cannot make.
nb::ndarray<nb::array_api> new_cuda_array(const std::vector<std::size_t>& shape, int type, int device) {
#if defined(BACKLIT_HAVE_CUDA)
  constexpr auto number = static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float);
  constexpr auto brain = static_cast<std::uint8_t>(nb::dlpack::dtype_code::Bfloat);
  constexpr nb::dlpack::dtype types[] = {
      {number, 16, 1}, {brain, 16, 1}, {number, 32, 1}, {number, 64, 1}};  // ValueType
  const nb::dlpack::dtype kind = types[type];
  std::size_t bytes = kind.bits / 8;
  for (const std::size_t n : shape) bytes *= n;
  auto* const kept = new std::shared_ptr<void>(cuda_memory(device, bytes));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
  return nb::ndarray<nb::array_api>(kept->get(), shape.size(), shape.data(), owner, nullptr, kind,
                                    nb::device::cuda::value, device);
#else
  throw Unsupported("device", "this build has no CUDA", "move the arrays to the CPU");
#endif
}

/// First row, number of rows, step.
using RowRange = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// `turned`: projections have the axes (row, view, column).
void apply(Operator& op, bool transposed, ProgramArray from, ProgramArray to, const RowRange& rows, bool add,
           bool turned, std::uintptr_t stream) {
  ProgramArray& views = transposed ? from : to;
  if (const std::size_t axes = views.shape.size(); turned && axes >= 3) {
    std::swap(views.shape[axes - 3], views.shape[axes - 2]);
    std::swap(views.stride[axes - 3], views.stride[axes - 2]);
  }
  const auto& [first, count, stride] = rows;
  op.apply(transposed, from, to, {first, count, stride}, add, stream);
}

/// `names` and `values`: the projector's own options, as describe(CtOptions&) declares them.
CtOptions ct_options(const std::string& model, const std::string& precision, const std::string& packing,
                     const std::vector<std::string>& names, const std::vector<std::string>& values) {
  CtOptions o;
  o.model = model_from(model);
  const auto known = projector_names();
  if (std::ranges::find(known, name(o.model)) == known.end())
    throw InputError("model", fmt::format("'{}' takes more than a volume and a geometry", model), "choose joseph, say");
  o.precision = precision_from(precision);
  o.packing = packing_from(packing);
  Parameters choices = describe(o);
  for (std::size_t i = 0; i < names.size(); ++i) find_parameter(choices, names[i]).set(values.at(i));
  return o;
}

/// Activity seen through attenuating and scattering material. `attenuation`: 1/mm on the grid; none: nothing
/// attenuates.
std::shared_ptr<Operator> emission_operator(const VolumeGrid& grid, const Scan& scan, const std::string& precision,
                                            const std::optional<FloatArray>& attenuation,
                                            const std::vector<std::string>& names,
                                            const std::vector<std::string>& values, const DeviceChoice& device) {
  EmissionWords words;
  Pipeline pipeline = Pipeline::automatic;
  Parameters choices = describe(words);
  std::erase_if(choices, [](const Parameter& p) { return p.name == "attenuation"; });  // an array here
  choices.push_back(pipeline_parameter(pipeline));
  for (std::size_t i = 0; i < names.size(); ++i) find_parameter(choices, names[i]).set(values.at(i));
  const EmissionOptions options = emission_options(words, precision_from(precision), pipeline);
  const auto mu =
      std::make_shared<const Volume>(attenuation ? volume_of(grid, *attenuation, "attenuation") : Volume(grid));
  return std::make_shared<Operator>(
      grid, std::vector{scan.view_count(), scan.detector.rows, scan.detector.columns},
      [grid, mu, options](Backend& backend, const Scan& views) {
        return backend.make_emission(grid, views, mu->values.span(), options);
      },
      device, scan);
}

}  // namespace

void add_operators(nb::module_& m) {
  m.attr("value_types") = nb::make_tuple("float16", "bfloat16", "float32", "float64");  // as ValueType numbers them

  nb::class_<DeviceChoice>(m, "Device")
      .def("__init__",
           [](DeviceChoice* self, const std::string& name, std::vector<std::int64_t> devices, std::int64_t memory) {
             if (std::ranges::any_of(devices, [](std::int64_t i) { return i < 0 || i > 1'000'000; }))
               throw InputError("device", "there is no device of this number", "count devices from 0, as in cuda:1");
             new (self) DeviceChoice{name, std::move(devices), memory};
           });
  nb::class_<Operator>(m, "Operator")
      .def("apply",
           [](Operator& self, bool transposed, const ReadArray& from, const Array& to, const RowRange& rows, bool add,
              bool turned, std::uintptr_t stream) {
             apply(self, transposed, program_array(from, "the array"), program_array(ReadArray(to), "out"), rows, add,
                   turned, stream);
           })
      .def("apply_at",
           [](Operator& self, bool transposed, const Memory& from, const Memory& to, const RowRange& rows, bool add,
              bool turned, std::uintptr_t stream) {
             apply(self, transposed, program_array(from), program_array(to), rows, add, turned, stream);
           })
      .def(
          "apply_tensors",
          [](Operator& self, bool transposed, nb::handle from, nb::handle to, const RowRange& rows, bool add,
             bool turned) {
            auto x = exchanged_array(from), y = exchanged_array(to);
            if (!x || !y) return false;
            const std::uintptr_t stream = x->place.cuda ? exchanged_stream(from, x->place.index) : 0;
            apply(self, transposed, std::move(*x), std::move(*y), rows, add, turned, stream);
            return true;
          },
          "False where the arrays are not of the kinds that this knows: then nothing was done.")
      .def("geometry_gradient",
           [](Operator& self, const Memory& volume, const Memory& weights, const Memory& gradients,
              std::uintptr_t stream) {
             self.geometry_gradient(program_array(volume), program_array(weights), program_array(gradients), stream);
           })
      .def("moved", &Operator::moved)
      .def_prop_ro("variant", &Operator::variant)
      .def_prop_ro("matched", &Operator::matched)
      .def_prop_ro("device", &Operator::device)
      .def("time_passes", &Operator::time_passes)
      .def("pass_seconds", &Operator::pass_seconds)
      .def("finish", &Operator::finish);

  m.def("ct_operator",
        [](const VolumeGrid& grid, const Scan& scan, const std::string& model, const std::string& precision,
           const std::string& packing, const std::vector<std::string>& names, const std::vector<std::string>& values,
           const DeviceChoice& device) {
          const CtOptions options = ct_options(model, precision, packing, names, values);
          return std::make_shared<Operator>(
              grid, std::vector{scan.view_count(), scan.detector.rows, scan.detector.columns},
              [grid, options](Backend& backend, const Scan& views) { return backend.make_ct(grid, views, options); },
              device, scan);
        });
  m.def("emission_operator", &emission_operator, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg(),
        nb::arg(), nb::arg());
  m.def(
      "cuda_values",
      [](std::uintptr_t data, const std::array<std::size_t, 3>& shape, const std::array<std::int64_t, 3>& stride) {
        return nb::ndarray<nb::array_api, float, nb::device::cuda>(reinterpret_cast<float*>(data), 3, shape.data(),
                                                                   nb::none(), stride.data());
      },
      "fp32 in CUDA memory that somebody else owns, as an array with DLPack; strides in values.");
  m.def("cuda_empty", &new_cuda_array);
  m.def("model_names", &projector_names);
  m.def("cuda_devices", &devices_of_cuda);
}

}  // namespace backlit::python
