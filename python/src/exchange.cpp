#include "exchange.hpp"

namespace backlit::python {
namespace {

/// The table of functions behind a type's __dlpack_c_exchange_api__.
struct ExchangeApi {
  std::uint32_t major, minor;
  ExchangeApi* older;
  void* allocate;
  void* owning_from_object;
  void* object_from_owning;
  int (*from_object)(void* object, nb::dlpack::dltensor* out);  ///< sets a Python error where it returns less than 0
  int (*current_stream)(int device_type, std::int32_t device, void** stream);
};

/// Of the type of `array`; null where it has none. The types seen last stay known, and alive.
const ExchangeApi* api_of(nb::handle array) {
  struct Known {
    PyObject* type = nullptr;
    const ExchangeApi* api = nullptr;
  };
  static Known known[2];  // torch's Tensor and Parameter
  static int oldest = 0;
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(array.ptr()));
  for (const Known& k : known)
    if (k.type == type) return k.api;

  const ExchangeApi* api = nullptr;
  PyObject* const capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
  if (capsule) {
    api = static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
    while (api && api->major > 1) api = api->older;
    Py_DECREF(capsule);
  }
  PyErr_Clear();
  if (api && !api->from_object) api = nullptr;
  Py_INCREF(type);
  Py_XDECREF(known[oldest].type);
  known[oldest] = {type, api};
  oldest = 1 - oldest;
  return api;
}

}  // namespace

std::optional<ProgramArray> exchanged_array(nb::handle array) {
  const ExchangeApi* const api = api_of(array);
  if (!api) return {};
  nb::dlpack::dltensor t;
  if (api->from_object(array.ptr(), &t) < 0) {
    PyErr_Clear();
    return {};
  }
  const std::optional<ValueType> type = value_type(t.dtype);
  const bool on_host = t.device.device_type == nb::device::cpu::value;
  if (!type || (!on_host && t.device.device_type != nb::device::cuda::value)) return {};
  ProgramArray numbers{static_cast<char*>(t.data) + t.byte_offset,
                       *type,
                       {!on_host, on_host ? 0 : t.device.device_id},
                       {t.shape, t.shape + t.ndim},
                       {}};
  if (t.strides) {
    numbers.stride.assign(t.strides, t.strides + t.ndim);
  } else {
    numbers.stride.resize(numbers.shape.size());
    std::int64_t step = 1;
    for (std::size_t a = numbers.shape.size(); a-- > 0; step *= numbers.shape[a]) numbers.stride[a] = step;
  }
  return numbers;
}

std::uintptr_t exchanged_stream(nb::handle array, int device) {
  const ExchangeApi* const api = api_of(array);
  void* stream = nullptr;
  if (api->current_stream(nb::device::cuda::value, device, &stream) < 0) throw nb::python_error();
  return reinterpret_cast<std::uintptr_t>(stream);
}

}  // namespace backlit::python
