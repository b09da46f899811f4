// Calls the kernels as XLA does, without XLA: for builds with sanitizers. Each line of the input is a call: the kernel's name,
// the kind of values, a letter for the type of each operand and of each result (f, i, u, l, L or b: float32, int32, uint32, int64, uint64, bool), operands (their number; of each its rank and sizes), results alike, the attribute's name, its numbers
// (their count first). The answer is a line too: "done", "refused: ...", "unwritten" (a result that nobody wrote).
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "xla/ffi/api/c_api.h"

#define KERNELS(each)                                                                                              \
  each(mycelium_convolution) each(mycelium_convolution_input) each(mycelium_convolution_weights)                   \
  each(mycelium_max_pool) each(mycelium_max_pool_relu) each(mycelium_max_pool_gradient)                            \
  each(mycelium_max_pool_gradient_relu) each(mycelium_channel_moments) each(mycelium_channel_sums)                 \
  each(mycelium_sort) each(mycelium_top) each(mycelium_take_along)                    \
  each(mycelium_add_along) each(mycelium_running_sum) each(mycelium_random_bits) each(mycelium_random_integers)    \
  each(mycelium_sum) each(mycelium_fold) each(mycelium_running_extreme) each(mycelium_linear_recurrence)                               \
  each(mycelium_running_log_sum) each(mycelium_running_product) each(mycelium_largest) each(mycelium_distances)    \
  each(mycelium_wave) each(mycelium_class_entropy) each(mycelium_class_entropy_slopes) each(mycelium_integer_product) each(mycelium_extreme) each(mycelium_draw) each(mycelium_remainder) each(mycelium_farthest) each(mycelium_read_slices) each(mycelium_read_slices_inside) each(mycelium_write_slices) each(mycelium_sample) each(mycelium_sample_spread) each(mycelium_sample_slopes)                                                               \
  each(mycelium_product) each(mycelium_recurrent) each(mycelium_recurrent_gradient) each(mycelium_interrupt)

#define DECLARE(name) extern "C" XLA_FFI_Error* name(XLA_FFI_CallFrame*);
KERNELS(DECLARE)
#define ENTRY(name) {#name, name},
const std::map<std::string, XLA_FFI_Handler*> kKernels = {KERNELS(ENTRY)};

struct XLA_FFI_Error {
  std::string message;
};

namespace {

std::vector<std::thread> threads;  // of the call under way: one for each task

XLA_FFI_Error* create(XLA_FFI_Error_Create_Args* args) { return new XLA_FFI_Error{args->message}; }
void tell(XLA_FFI_Error_GetMessage_Args* args) { args->message = args->error->message.c_str(); }
void destroy(XLA_FFI_Error_Destroy_Args* args) { delete args->error; }
XLA_FFI_Error* schedule(XLA_FFI_ThreadPool_Schedule_Args* args) {
  threads.emplace_back(args->task, args->data);
  return nullptr;
}
XLA_FFI_Error* count_threads(XLA_FFI_ThreadPool_NumThreads_Args* args) {
  *args->num_threads = 4;
  return nullptr;
}

// Buffers of exactly their sizes, on the heap: what lies beside them is poisoned.
struct Buffers {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<float*> memory;
  std::vector<size_t> counts;
  std::vector<XLA_FFI_Buffer> buffers;
  std::vector<void*> places;

  std::string types;
  char type(size_t i) const { return i < types.size() ? types[i] : 'f'; }
  bool wide(size_t i) const { return type(i) == 'l' || type(i) == 'L'; }
  size_t bytes(size_t i) const { return type(i) == 'b' ? 1 : wide(i) ? 8 : 4; }
  bool whole(size_t i) const { return type(i) != 'f'; }
  XLA_FFI_DataType dtype(size_t i) const {
    return type(i) == 'b' ? XLA_FFI_DataType_PRED : type(i) == 'i' ? XLA_FFI_DataType_S32 : type(i) == 'u' ? XLA_FFI_DataType_U32 : type(i) == 'l' ? XLA_FFI_DataType_S64 : type(i) == 'L' ? XLA_FFI_DataType_U64 : XLA_FFI_DataType_F32;
  }

  void read(std::istream& line) {
    size_t number = 0;
    line >> number;
    shapes.resize(number);
    for (auto& shape : shapes) {
      size_t rank = 0;
      line >> rank;
      shape.resize(rank);
      size_t count = 1;
      for (int64_t& size : shape) line >> size, count *= size;
      counts.push_back(count);
      memory.push_back(static_cast<float*>(std::malloc(count * bytes(memory.size()))));
      buffers.push_back({XLA_FFI_Buffer_STRUCT_SIZE, nullptr, dtype(buffers.size()), memory.back(), static_cast<int64_t>(rank), shape.data()});
    }
    for (auto& buffer : buffers) places.push_back(&buffer);
  }
  template <class Value>
  void fill(Value value) {
    for (size_t i = 0; i < memory.size(); ++i)
      for (size_t j = 0; j < counts[i]; ++j) {
        const int32_t number = static_cast<int32_t>(j * 7919 % 61) - 3;
        if (wide(i)) reinterpret_cast<int64_t*>(memory[i])[j] = number;
        else if (type(i) == 'b') reinterpret_cast<uint8_t*>(memory[i])[j] = number & 1;
        else if (whole(i)) reinterpret_cast<int32_t*>(memory[i])[j] = number;
        else memory[i][j] = value();
      }
  }
  bool has_nan() const {
    for (size_t i = 0; i < memory.size(); ++i)
      for (size_t j = 0; j < counts[i]; ++j)
        if (!whole(i) && std::isnan(memory[i][j])) return true;
    return false;
  }
  ~Buffers() {
    for (float* one : memory) std::free(one);
  }
};

std::string answer(const std::string& text) {
  std::istringstream line(text);
  std::string kernel, kind, attribute;
  Buffers operands, results;
  line >> kernel >> kind >> operands.types >> results.types;
  operands.read(line), results.read(line);
  size_t count = 0;
  line >> attribute >> count;
  std::vector<int64_t> numbers(count);
  for (int64_t& number : numbers) line >> number;
  if (!line || kKernels.count(kernel) == 0) return "not understood: " + text;

  std::minstd_rand random(text.size());
  const float infinity = std::numeric_limits<float>::infinity();
  const float strange[] = {0.0f, -0.0f, 1.0f, infinity, -infinity, NAN, 3e38f, -3e38f, 1e-42f};
  if (kind == "strange") operands.fill([&] { return strange[random() % 9]; });
  else operands.fill([&] { return static_cast<int>(random() % 2001 - 1000) / 1000.0f; });
  results.fill([] { return NAN; });

  XLA_FFI_Api api{};
  api.struct_size = XLA_FFI_Api_STRUCT_SIZE;
  api.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR};
  api.XLA_FFI_Error_Create = create, api.XLA_FFI_Error_GetMessage = tell, api.XLA_FFI_Error_Destroy = destroy;
  api.XLA_FFI_ThreadPool_Schedule = schedule, api.XLA_FFI_ThreadPool_NumThreads = count_threads;
  std::vector<XLA_FFI_ArgType> argument_types(operands.places.size(), XLA_FFI_ArgType_BUFFER);
  std::vector<XLA_FFI_RetType> result_types(results.places.size(), XLA_FFI_RetType_BUFFER);
  XLA_FFI_Array array{XLA_FFI_DataType_S64, numbers.size(), numbers.data()};
  XLA_FFI_ByteSpan name{attribute.data(), attribute.size()}, *names = &name;
  XLA_FFI_AttrType attribute_type = XLA_FFI_AttrType_ARRAY;
  void* attributes = &array;
  XLA_FFI_CallFrame frame{};
  frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
  frame.api = &api;
  frame.stage = XLA_FFI_ExecutionStage_EXECUTE;
  frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, static_cast<int64_t>(operands.places.size()), argument_types.data(), operands.places.data()};
  frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, static_cast<int64_t>(results.places.size()), result_types.data(), results.places.data()};
  frame.attrs = {XLA_FFI_Attrs_STRUCT_SIZE, nullptr, attribute == "none" ? 0 : 1, &attribute_type, &names, &attributes};

  XLA_FFI_Error* error = kKernels.at(kernel)(&frame);
  for (auto& thread : threads) thread.join();
  threads.clear();
  if (error == nullptr) return kind != "strange" && results.has_nan() ? "unwritten" : "done";
  const std::string message = error->message;
  delete error;
  return "refused: " + message;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(line) << std::endl;
}
